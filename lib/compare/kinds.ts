import type { ApiType } from "#contract/catalog-constants.ts";

/**
 * Kinds of operations with results that people can compare side by side, in the order in which they are
 * offered.
 */
export const comparedKinds = {
  "image-generation": "pictures",
  "image-editing": "editedPictures",
  "video-generation": "videos",
  "chat-completions": "text",
  "text-to-speech": "speech",
  "audio-transcription": "transcripts",
} as const satisfies Partial<Record<ApiType, string>>;

export type ComparedKind = keyof typeof comparedKinds;

export function isCompared(apiType: ApiType): apiType is ComparedKind {
  return Object.hasOwn(comparedKinds, apiType);
}

/** The key of an operation: `svc/chat-1:chat-completions`. */
export function candidateKey(model: string, apiType: string): string {
  return `${model}:${apiType}`;
}
