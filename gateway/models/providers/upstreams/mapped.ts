import type { RegionName } from "#contract/catalog.ts";
import type { FieldRules } from "../file/schema.ts";
import type { MediaRules } from "../media/inputs.ts";
import type { Upstream } from "./upstream.ts";

/** An upstream as one route uses it. */
export interface Mapped {
  upstream: Upstream;
  /** The upstream's name for the model. */
  model: string;
  path: string | undefined;
  /** Whether stream events that are not JSON are skipped. */
  skipsMalformed?: boolean;
  fields: FieldRules | undefined;
  media: MediaRules;
  /** This provider's name for another catalog model in a region; null if that model is not mapped to it. */
  modelNameOf(catalogId: string, region: RegionName): string | null;
  /** The catalog id for a provider's model name; null if it is not mapped. */
  catalogIdOf(modelName: string, region: RegionName): string | null;
}
