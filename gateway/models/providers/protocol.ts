import type { Readable } from "node:stream";
import type { ApiType, RegionName } from "#contract/catalog.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { ProviderProtocol } from "#contract/operator/constants.ts";
import type { ProviderPreset, UpstreamModel } from "#contract/operator/providers.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import type { Connection } from "./configuration.ts";
import type { AskAboutModel, ModelDescription } from "./descriptions.ts";
import type { FieldRules } from "./file/schema.ts";
import type { HttpAnswer } from "./http/http-client.ts";
import { recordOf, recordsOf, textOf } from "./http/read-body.ts";
import type { Fault } from "./http/refusal.ts";
import type { MediaRules } from "./media/inputs.ts";
import type { Provider, ProviderRequest } from "./provider.ts";
import type { KeyScheme, Upstream } from "./upstreams/upstream.ts";

/** Opens an output URL from an upstream; the limit is in bytes. Throws ProviderError. */
export type OutputFetch = (url: string, signal: AbortSignal, limit?: number) => Promise<Readable>;

/** The parts that one connection's providers may use. */
export interface ProtocolParts {
  entry: Connection["entry"];
  database: Database;
  fetchOutput: OutputFetch;
}

/**
 * Information for an operator who connects a provider of a protocol, and the free requests that test the
 * provider.
 */
export interface ProtocolFacts {
  /**
   * Requests that prove an address and key, in order: the next one is used if a path does not exist (404).
   */
  checks(base: URL): readonly Check[];
  /** Paths of model lists that match a text; paths that start with `/` are below the base URL. */
  listPaths(base: URL, text: string): readonly string[];
  /**
   * True if the list uses the upstream's own search: its results are kept even if they do not contain the
   * typed words.
   */
  searches: boolean;
  /**
   * Reads the upstream's description of one model; null if the upstream publishes none, so that no entry can
   * be made from it.
   */
  describeModel: ((ask: AskAboutModel, name: string) => Promise<ModelDescription>) | null;
  /** Whether a route can set the path of a model's service. */
  servicePaths: boolean;
  /** Ready-made settings for quick connection. */
  presets: readonly Preset[];
}

/** A free request that needs a key, and the meaning of its answers. */
interface Check {
  path: string;
  /** Error statuses that still prove the address and key. */
  provenBy?: readonly number[];
  /** The message after success. */
  success(body: unknown): string;
}

/** A preset without the fields that follow from its protocol. */
export type Preset = Omit<ProviderPreset, "object" | "protocol">;

/** An upstream as one route uses it. */
export interface Mapped {
  upstream: Upstream;
  /** The upstream's name for the model. */
  model: string;
  path: string | undefined;
  /** Whether stream events that are not JSON are skipped. */
  skipsMalformed?: boolean;
  /** Whether answers without a finish reason are accepted. */
  acceptsUnfinished?: boolean;
  /** Whether its requests name their conversation in `prompt_cache_key`, where the caller does not. */
  sendsCacheKey?(region: RegionName): boolean;
  /** Whether the end of tools and system is marked for the upstream's cache. */
  marksBeginning?: boolean | undefined;
  /** Until when the upstream counts as one without streams (ms since the epoch). */
  whole?: { untilMs: number };
  fields: FieldRules | undefined;
  media: MediaRules;
  /** This provider's name for another catalog model in a region; null if that model is not mapped to it. */
  modelNameOf(catalogId: string, region: RegionName): string | null;
  /** The catalog id for a provider's model name; null if it is not mapped. */
  catalogIdOf(modelName: string, region: RegionName): string | null;
}

/** One upstream protocol. To add one, make a folder that exports it and add a line in `protocols.ts`. */
export interface Protocol {
  /** Its name in the providers file. */
  name: ProviderProtocol;
  /** The kinds of operation that it supports. */
  kinds: readonly ApiType[];
  /** The default base URLs, for entries without one: per region, or under `any`. */
  hosts: Partial<Record<RegionName, string>> & { any?: string };
  scheme: KeyScheme;
  /** Headers of every call. */
  headers?: Readonly<Record<string, string>>;
  /** Reads an error answer. */
  readFault(text: string, headers: HttpAnswer["headers"]): Fault;
  facts: ProtocolFacts;
  /** Called once per connection; the returned function makes the provider for each of its routes. */
  open(parts: ProtocolParts): (mapped: Mapped) => Provider;
}

/** The input with the name of its conversation, for an upstream that uses it, unless the caller gave one. */
export function withCacheKey(
  input: Record<string, unknown>,
  { region, conversation }: ProviderRequest,
  { sendsCacheKey }: Mapped,
): Record<string, unknown> {
  if (!conversation || input.prompt_cache_key || !sendsCacheKey?.(region)) return input;
  return { ...input, prompt_cache_key: conversation.cacheKey };
}

/** Completes a preset with defaults: a cloud provider that needs a key. */
export function preset(given: Pick<Preset, "id" | "name" | "runs"> & Partial<Preset>): Preset {
  return {
    place: "cloud",
    base_url: null,
    base_url_template: null,
    base_urls: {},
    needs_key: true,
    key_url: null,
    note: null,
    ...given,
  };
}

/** The preset of any other server that speaks this protocol; the operator enters its address. */
export function otherServer(protocol: string, api: string, runs: ApiType[]): Preset {
  return preset({ id: `${protocol}-like`, name: `Another server of ${api}`, place: "other", runs });
}

/** The models in a list, in any protocol's format. */
export function modelsIn(body: unknown): UpstreamModel[] {
  const top = recordOf(body);
  const found = [top.data, top.results, top.models].map(recordsOf).find((list) => list.length > 0);
  const rows = found ?? (Array.isArray(body) ? body.filter(isRecord) : []);
  return rows.flatMap((row): UpstreamModel[] => {
    const model = isRecord(row.model) ? row.model : row;
    const owned = textOf(model.owner) && textOf(model.name) ? `${model.owner}/${model.name}` : null;
    const id = textOf(model.endpoint_id) ?? owned ?? textOf(model.id) ?? textOf(model.name);
    if (id === null) return [];
    const about = recordOf(model.metadata);
    const description =
      textOf(model.description) ??
      textOf(about.display_name) ??
      textOf(model.display_name) ??
      textOf(model.name);
    return [{ id, object: "upstream_model", description: description === id ? null : description }];
  });
}

/** The success message of a check that lists models. */
export function listed(body: unknown): string {
  const count = modelsIn(body).length;
  return count === 1 ? "It lists 1 model." : `It lists ${count} models.`;
}

/** The `supports` of a provider whose protocol supports these kinds. */
export function supportsKind(kinds: readonly ApiType[], protocol: string): Provider["supports"] {
  return (operation) =>
    kinds.includes(operation.api_type)
      ? { ok: true }
      : { ok: false, reason: `The protocol ${protocol} does not support ${operation.api_type}.` };
}

export function unsupported(request: ProviderRequest): ProviderError {
  return new ProviderError(
    "operation_not_supported",
    `This gateway's provider does not support ${request.operation.api_type} for this model.`,
    { started: "no" },
  );
}

/** The methods of providers whose upstream always answers directly. */
export const noJobs: Pick<Provider, "start" | "status" | "cancel"> = {
  async start(request) {
    throw unsupported(request);
  },
  async status(_ref, request) {
    throw unsupported(request);
  },
  cancel: async () => "unsupported",
};
