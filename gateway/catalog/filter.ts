import { hasWords, searchWords } from "#contract/search-words.ts";
import type { StaticModel } from "./registry.ts";

export interface CatalogFilter {
  api_type?: string;
  modality?: string;
  region?: string;
  q?: string;
}

/** Whether an entry passes every filter that is set; each word of `q` must occur in its id, name, kind or regions. */
export function matches(model: StaticModel, filter: CatalogFilter): boolean {
  const { api_type, modality, region, q } = filter;
  if (api_type && !model.api_types.some((offered) => offered === api_type)) return false;
  if (modality && model.modality !== modality) return false;
  if (region && !model.available_regions.some((offered) => offered === region)) return false;
  const text = [
    model.id,
    model.display_name ?? "",
    model.owned_by,
    model.modality,
    ...model.api_types,
    ...model.available_regions,
  ].join(" ");
  return hasWords(text, searchWords(q ?? ""));
}
