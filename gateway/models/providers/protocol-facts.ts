import type { ProviderPreset, UpstreamModel } from "#contract/operator/providers.ts";
import type { AskAboutModel, ModelDescription } from "./descriptions/upstream-model.ts";
import { isRecord, recordOf, recordsOf, textOf } from "./http/read-body.ts";

/** What an operator who connects a provider of a protocol needs to know, and what of it can be asked without cost. */
export interface ProtocolFacts {
  /** What proves an address and a key, first to last: the next where one is not known (404). */
  checks(base: URL): readonly Check[];
  /** Where it lists models that match a text; `/`-paths are below the base URL. */
  listPaths(base: URL, text: string): readonly string[];
  /** It searches by words of its own: what it found stands, although it may not have the words that were typed. */
  searches: boolean;
  /** Reads what it says of one model; null if it describes none, so that no entry can be made of it. */
  describeModel: ((ask: AskAboutModel, name: string) => Promise<ModelDescription>) | null;
  /** A route may name the path of a model's service. */
  servicePaths: boolean;
  /** Where one connects in a minute. */
  presets: readonly Preset[];
}

/** A question that costs nothing and takes a key, and what its answers mean. */
export interface Check {
  path: string;
  /** Statuses that prove the address and key although they are no success. */
  provenBy?: readonly number[];
  /** What is said when it went well. */
  success(body: unknown): string;
}

/** A preset without what follows from its protocol. */
export type Preset = Omit<ProviderPreset, "object" | "protocol">;

/** A preset in the cloud with a key, unless it says otherwise. */
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

/** The models in a list as any of the protocols answers it. */
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

/** The success of a check that lists models. */
export function listed(body: unknown): string {
  const count = modelsIn(body).length;
  return count === 1 ? "It lists 1 model." : `It lists ${count} models.`;
}
