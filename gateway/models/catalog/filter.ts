import type { ApiType, CatalogModel } from "#contract/catalog.ts";
import { hasWords, searchWords } from "#contract/search-words.ts";
import type { StaticModel } from "./registry.ts";

export interface CatalogFilter {
  api_type?: string;
  modality?: string;
  region?: string;
  q?: string;
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
