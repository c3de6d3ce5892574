/** The catalog's constants. They are apart from the schemas because pages do not need the schemas. */

export const apiTypes = [
  "chat-completions",
  "text-to-speech",
  "audio-transcription",
  "voice-management",
  "image-generation",
  "image-editing",
  "video-generation",
  "embeddings",
  "rerank",
] as const;
export type ApiType = (typeof apiTypes)[number];

/** The route of each operation, after `/v1`. */
export const operationPaths: Record<ApiType, string> = {
  "chat-completions": "/chat/completions",
  "text-to-speech": "/audio/speech",
  "audio-transcription": "/audio/transcriptions",
  "voice-management": "/audio/voices",
  "image-generation": "/images/generations",
  "image-editing": "/images/edits",
  "video-generation": "/videos/generations",
  embeddings: "/embeddings",
  rerank: "/rerank",
};

/** Templates for custom models whose kind has no entry in the specification. */
export const kindTemplates = {
  embeddings: "template/embeddings",
  rerank: "template/rerank",
} as const satisfies Partial<Record<ApiType, string>>;

export const modalities = ["text", "audio", "image", "video"] as const;
export type Modality = (typeof modalities)[number];

/** The kinds of message parts, besides text, that a chat model can read. */
export const inputModalities = ["text", "image", "audio", "file"] as const;
export type InputModality = (typeof inputModalities)[number];

export const executionModes = ["sync", "sync-or-stream", "async"] as const;
export type ExecutionMode = (typeof executionModes)[number];

/**
 * Who runs an operation. `provider`: an upstream. `sandbox`: the built-in sandbox. `none`: nobody, because
 * its routes lead only to other regions, or because it has no route and this gateway refuses operations
 * without one.
 */
export const servers = ["provider", "sandbox", "none"] as const;
export type Server = (typeof servers)[number];

export const billingUnits = ["token", "character", "second", "generation", "operation"] as const;
export type BillingUnit = (typeof billingUnits)[number];

export const regionNames = [
  "cn-beijing",
  "cn-hong-kong",
  "eu-frankfurt",
  "jp-tokyo",
  "sg-singapore",
  "us-oregon",
  "us-virginia",
] as const;
export type RegionName = (typeof regionNames)[number];

const regionTitles: Record<RegionName, string> = {
  "cn-beijing": "Beijing",
  "cn-hong-kong": "Hong Kong",
  "eu-frankfurt": "Frankfurt",
  "jp-tokyo": "Tokyo",
  "sg-singapore": "Singapore",
  "us-oregon": "Oregon",
  "us-virginia": "Virginia",
};

/** The display name of a region; for an unknown region, its id. */
export function regionTitle(id: string): string {
  return Object.hasOwn(regionTitles, id) ? regionTitles[id as RegionName] : id;
}
