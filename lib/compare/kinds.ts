import type { ApiType } from "#contract/catalog-constants.ts";

/**
 * Kinds of operations with results that people can compare side by side, in the order in which they are
 * offered.
 */
export const comparedKinds = {
  "image-generation": "Pictures",
  "image-editing": "Edited pictures",
  "video-generation": "Videos",
  "chat-completions": "Text",
  "text-to-speech": "Speech",
  "audio-transcription": "Transcripts",
} as const satisfies Partial<Record<ApiType, string>>;

/** Shown where a user may look for the other kinds. */
export const notComparedHint =
  "Embeddings, ranking and voices are not offered here: their results cannot be judged side by side.";

export type ComparedKind = keyof typeof comparedKinds;

export function isCompared(apiType: ApiType): apiType is ComparedKind {
  return Object.hasOwn(comparedKinds, apiType);
}

/** The key of an operation: `svc/chat-1:chat-completions`. */
export function candidateKey(model: string, apiType: string): string {
  return `${model}:${apiType}`;
}
