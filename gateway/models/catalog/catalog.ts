import type {
  ApiType,
  CatalogList,
  CatalogModel,
  CatalogOperation,
  RegionList,
  RegionName,
} from "#contract/catalog.ts";
import type { ErrorDetail } from "#contract/error.ts";
import type { Passage } from "#gateway/platform/core/breaker.ts";
import type { Engine } from "./entry.ts";
import type { CatalogFilter } from "./filter.ts";
import type { OfferedEntry, OwnChange, Viewer } from "./offered-entry.ts";
import type { Serving } from "./serving.ts";

/** An operation with what the pipeline needs beside the published entry. */
export interface CompiledOperation {
  model: CatalogModel;
  operation: CatalogOperation;
  /** The revision of an operator's entry; null: the specification's. */
  revision: number | null;
  /** What kind of work it is, for the provider that runs it. */
  readonly engine: Engine;
  /**
   * Checks a parsed body against the input schema; returns the problems (empty when it is valid) and fills schema
   * defaults into `body` in place.
   */
  validate(body: Record<string, unknown>): ErrorDetail[];
  /** Turns multipart text into the integers, numbers and booleans that the schema asks for, in place. */
  coerce(body: Record<string, unknown>): void;
  /** Top-level properties that the schema does not list (they are accepted, not forwarded, and named in a header). */
  unlisted(body: Record<string, unknown>): string[];
  /** Every media value in `body`: its path, its purpose, and its text. */
  mediaOf(
    body: Record<string, unknown>,
  ): { path: string; kind: "image" | "audio" | "video" | "any"; value: string }[];
  /** Where an upstream's result holds the files, where they are not in a usual place. */
  readonly outputField?: string;
  /** Never moved to another region: its data is in one region. */
  readonly regionBound: boolean;
}

export interface Catalog {
  /** Replaces the entries, at once. What runs keeps the models and operations that it took. */
  use(offered: readonly OfferedEntry[], changes: readonly OwnChange[]): void;
  /** Says anew who runs what. */
  setServing(serving: Serving): void;
  /** The operations of a kind that everybody sees; for a kind that none of them has, what own models are copied from. */
  operationsOfKind(apiType: ApiType): readonly CatalogOperation[];
  /** What a viewer sees: entries for named accounts are there for these only, hidden ones for nobody. */
  list(filter?: CatalogFilter, viewer?: Viewer): Pick<CatalogList, "object" | "data" | "registry">;
  /** What a viewer sees, as a thing to keep answers by: another one once operators change it. */
  sightOf(viewer?: Viewer): object;
  /** For `ETag`: the registry's sha256, quoted, with a digest of what else a viewer's answers depend on. */
  etag(viewer?: Viewer): string;
  /** Whether accounts see different entries, so that answers must not be shared. */
  readonly isPersonal: boolean;
  /** Whether there is an entry that the viewer may use, listed or not. */
  has(id: string, viewer?: Viewer): boolean;
  /** That entry as it is now: its regions' health is read at every call. */
  model(id: string, viewer?: Viewer): CatalogModel | null;
  operation(modelId: string, apiType: string, viewer?: Viewer): CompiledOperation | null;
  /** An operation of an entry as it was in another revision. */
  operationOf(offered: OfferedEntry, apiType: string): CompiledOperation | null;
  regions(viewer?: Viewer): RegionList;
  /**
   * The region to use: the asked one or the best of the allowed; a code when none can be used. A request that may run twice can probe a
   * region early if another region or, with `hasOther`, another model can answer it.
   */
  pickRegion(
    model: CatalogModel,
    asked: string | null,
    allowed: readonly string[] | null,
    probing?: { runsTwice: boolean; hasOther: boolean },
  ):
    | { region: RegionName }
    | {
        code: "region_not_available" | "region_not_allowed" | "no_healthy_region";
        message: string;
        retryAfterMs?: number;
      };
  /** Before the upstream of a deployment is asked; null when it may not be now. `isSpared`: somebody else can answer the request. */
  enter(modelId: string, region: RegionName, isSpared?: boolean): Passage | null;
  /** Feeds the breaker of a deployment. */
  report(modelId: string, region: RegionName, outcome: "success" | "failure"): void;
}
