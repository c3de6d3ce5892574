import type { ApiType } from "#contract/catalog-constants.ts";
import type { PriceKind } from "#contract/money/constants.ts";

/** Singular and plural of the kinds of usage. */
export const kindLabels: Readonly<Record<PriceKind, { one: string; many: string }>> = {
  input_token: { one: "input token", many: "input tokens" },
  cached_input_token: { one: "cached input token", many: "cached input tokens" },
  cache_write_token: { one: "token written to the cache", many: "tokens written to the cache" },
  cache_write_1h_token: {
    one: "token written to the cache for an hour",
    many: "tokens written to the cache for an hour",
  },
  audio_input_token: { one: "audio input token", many: "audio input tokens" },
  output_token: { one: "output token", many: "output tokens" },
  reasoning_token: { one: "reasoning token", many: "reasoning tokens" },
  audio_output_token: { one: "audio output token", many: "audio output tokens" },
  token: { one: "token", many: "tokens" },
  character: { one: "character", many: "characters" },
  second: { one: "second", many: "seconds" },
  image: { one: "image", many: "images" },
  input_image: { one: "input image", many: "input images" },
  operation: { one: "run", many: "runs" },
  search: { one: "web search", many: "web searches" },
};

/** The usual units of an operation, which are the first rows of a new price. */
export const defaultKinds: Readonly<Record<ApiType, readonly PriceKind[]>> = {
  "chat-completions": ["input_token", "cached_input_token", "output_token"],
  "text-to-speech": ["character"],
  "audio-transcription": ["second"],
  "voice-management": ["operation"],
  "image-generation": ["image"],
  "image-editing": ["image"],
  "video-generation": ["second"],
  embeddings: ["input_token"],
  rerank: ["operation"],
};
