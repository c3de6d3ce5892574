import type { ProviderPreset, UpstreamModel } from "#contract/operator/providers.ts";
import type { AskAboutModel, ModelDescription } from "./descriptions/upstream-model.ts";
import { isRecord, recordOf, recordsOf, textOf } from "./http/read-body.ts";

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
export interface Check {
  path: string;
  /** Error statuses that still prove the address and key. */
  provenBy?: readonly number[];
  /** The message after success. */
  success(body: unknown): string;
}

/** A preset without the fields that follow from its protocol. */
export type Preset = Omit<ProviderPreset, "object" | "protocol">;

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
