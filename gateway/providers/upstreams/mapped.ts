import type { RegionName } from "#contract/catalog.ts";
import type { FieldRules } from "../file/schema.ts";
import type { MediaRules } from "../media/inputs.ts";
import type { Upstream } from "./upstream.ts";

/** An upstream as one route of the providers file uses it. */
export interface Mapped {
  upstream: Upstream;
  /** The upstream's name for the model. */
  model: string;
  path: string | undefined;
  fields: FieldRules | undefined;
  media: MediaRules;
  /** What the same provider calls another model of the catalog in a region; null where it is not mapped to it. */
  modelNameOf(catalogId: string, region: RegionName): string | null;
  /** The catalog's name of what the provider calls so; null for what is not mapped. */
  catalogIdOf(modelName: string, region: RegionName): string | null;
}
