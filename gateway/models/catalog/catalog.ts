import type {
  ApiType,
  CatalogList,
  CatalogModel,
  CatalogOperation,
  RegionList,
  RegionName,
  Server,
} from "#contract/catalog.ts";
import type { ErrorDetail } from "#contract/error.ts";
import { hasWords, searchWords } from "#contract/search-words.ts";
import type { Passage } from "#gateway/platform/core/breaker.ts";
import type { Engine, OfferedEntry, OwnChange, Viewer } from "./entry.ts";
import type { StaticModel } from "./registry.ts";

/** Which upstreams run which operations, as the providers are configured now. */
export interface Serving {
  unmapped: "sandbox" | "none";
  /**
   * The regions in which an upstream runs an operation, by operation id; empty if it is mapped but no
   * upstream runs it.
   */
  regions: ReadonlyMap<string, readonly RegionName[]>;
}

export const allSandbox: Serving = { unmapped: "sandbox", regions: new Map() };

/** An operation with the data that the pipeline needs besides the published entry. */
export interface CompiledOperation {
  model: CatalogModel;
  operation: CatalogOperation;
  /** The revision of an operator's entry; null for the specification's entries. */
  revision: number | null;
  /** The kind of work; a provider decides by it how to run the operation. */
  readonly engine: Engine;
  /**
   * Checks a parsed body against the input schema; returns the problems (empty when it is valid) and fills schema
   * defaults into `body` in place.
   */
  validate(body: Record<string, unknown>): ErrorDetail[];
  /** Turns multipart text into the integers, numbers and booleans that the schema asks for, in place. */
  coerce(body: Record<string, unknown>): Promise<void>;
  /** Whether it reads a top-level property of this name. */
  lists(name: string): boolean;
  /**
   * Top-level properties that the schema does not list: accepted, but not forwarded, and named in a header.
   */
  unlisted(body: Record<string, unknown>): string[];
  /** Every media value in `body`: its path, its purpose, and its string. */
  mediaOf(
    body: Record<string, unknown>,
  ): { path: string; kind: "image" | "audio" | "video" | "any"; value: string }[];
  /** The field of an upstream's result that holds the files, if it is not a usual one. */
  readonly outputField?: string;
  /** Never moved to another region, because its data is in one region. */
  readonly regionBound: boolean;
}

export interface CatalogFilter {
  api_type?: string;
  modality?: string;
  region?: string;
  q?: string;
}

export interface Catalog {
  /** Replaces all entries at once. Runs in progress keep their models and operations. */
  use(offered: readonly OfferedEntry[], changes: readonly OwnChange[]): void;
  /** Sets which providers run which operations. */
  setServing(serving: Serving): void;
  /**
   * The operations of a kind that everybody sees. If there are none, the template from which operators copy
   * their own models.
   */
  operationsOfKind(apiType: ApiType): readonly CatalogOperation[];
  /** The entries that a viewer sees: hidden ones are left out, and so are entries for other accounts. */
  list(filter?: CatalogFilter, viewer?: Viewer): Pick<CatalogList, "object" | "data" | "registry">;
  /**
   * An object that identifies the set of entries that a viewer sees, for use as a cache key; replaced when
   * operators change an entry.
   */
  sightOf(viewer?: Viewer): object;
  /**
   * For `ETag`: the registry's sha256 in quotes, with a digest of everything else that a viewer's answers
   * depend on.
   */
  etag(viewer?: Viewer): string;
  /** Whether accounts see different entries, so that answers must not be shared between them. */
  readonly isPersonal: boolean;
  /** Whether the viewer may use an entry with this id, listed or not. */
  has(id: string, viewer?: Viewer): boolean;
  /** The current entry; its regions' health is read at every call. */
  model(id: string, viewer?: Viewer): CatalogModel | null;
  operation(modelId: string, apiType: string, viewer?: Viewer): CompiledOperation | null;
  /** An operation of an entry from another revision. */
  operationOf(offered: OfferedEntry, apiType: string): CompiledOperation | null;
  regions(viewer?: Viewer): RegionList;
  /**
   * The region to use: the requested one or the best of the allowed ones; an error code if none can be used.
   * A request that may run twice can probe a region early if another region or, with `hasOther`, another
   * model can answer it. While one request probes a region, `isRouteFree` says whether it has a route that is
   * not probed.
   */
  pickRegion(
    model: CatalogModel,
    asked: string | null,
    allowed: readonly string[] | null,
    probing?: { runsTwice: boolean; hasOther: boolean; isRouteFree: (region: RegionName) => boolean },
  ):
    | { region: RegionName }
    | {
        code: "region_not_available" | "region_not_allowed" | "no_healthy_region";
        message: string;
        retryAfterMs?: number;
      };
  /**
   * Call before a deployment's upstream is called; null if it must not be called now. `isSpared`: another
   * upstream can answer the request; `isRouteFree` as in `Breaker.enter`.
   */
  enter(modelId: string, region: RegionName, isSpared?: boolean, isRouteFree?: () => boolean): Passage | null;
  /** Reports the result of a call to the breaker of a deployment. */
  report(modelId: string, region: RegionName, outcome: "success" | "failure"): void;
}

/** Everyday search words for kinds of operation, in addition to their names and modality. */
const otherWords: Readonly<Record<ApiType, string>> = {
  "chat-completions": "language model LLM conversation",
  "text-to-speech": "voice audio read aloud",
  "audio-transcription": "subtitles captions",
  "voice-management": "clone speaker",
  "image-generation": "picture photo drawing",
  "image-editing": "picture photo edit",
  "video-generation": "movie film clip animation",
  embeddings: "vectors",
  rerank: "ranking reranking",
};

/** Search words for a model's purpose: its kinds, by API name and in everyday words, and its modality. */
export function kindWordsOf({ api_types, modality }: Pick<CatalogModel, "api_types" | "modality">): string {
  return [modality, ...api_types, ...api_types.map((kind) => otherWords[kind])].join(" ");
}

/**
 * Whether an entry passes all filters. Each word of `q` must occur in the entry's id, name, kind or regions.
 */
export function matches(model: StaticModel, filter: CatalogFilter): boolean {
  const { api_type, modality, region, q } = filter;
  if (api_type && !model.api_types.some((offered) => offered === api_type)) return false;
  if (modality && model.modality !== modality) return false;
  if (region && !model.available_regions.some((offered) => offered === region)) return false;
  const text = [
    model.id,
    model.display_name ?? "",
    model.owned_by,
    kindWordsOf(model),
    ...model.available_regions,
  ].join(" ");
  return hasWords(text, searchWords(q ?? ""));
}

export function servedBy({ unmapped, regions }: Serving, operationId: string, region: RegionName): Server {
  const mapped = regions.get(operationId);
  if (!mapped) return unmapped;
  return mapped.includes(region) ? "provider" : "none";
}

/** A text that changes with the operations that the sandbox does not run; empty if it runs all of them. */
export function textOfServing({ unmapped, regions }: Serving): string {
  const mapped = [...regions].map(([id, served]) => `\n${id} ${served.join()}`).sort();
  return unmapped === "sandbox" ? mapped.join("") : `\n${unmapped}${mapped.join("")}`;
}
