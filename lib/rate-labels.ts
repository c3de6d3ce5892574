import type { ApiType } from "#contract/catalog-constants.ts";
import { type PriceKind, unitOfKind } from "#contract/money/constants.ts";
import type { PriceCondition } from "#contract/money/cost.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { formatNumber } from "./format.ts";

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

/** `per 1,000,000 input tokens`, `per image`. */
export function perLabel({ kind, per }: Pick<PriceComponent, "kind" | "per">): string {
  return per === 1 ? `per ${kindLabels[kind].one}` : `per ${formatNumber(per)} ${kindLabels[kind].many}`;
}

/** `720P, with sound, context above 200,000 tokens`. Empty without a condition. */
export function conditionLabel(when: PriceCondition | null | undefined): string {
  if (!when) return "";
  const { resolution, size, quality, audio, service_tier, context_above, duration_above } = when;
  return [
    resolution,
    size,
    quality && `quality ${quality}`,
    audio === undefined ? undefined : audio ? "with sound" : "without sound",
    service_tier && `tier ${service_tier}`,
    context_above === undefined ? undefined : `context above ${formatNumber(context_above)} tokens`,
    duration_above === undefined ? undefined : `above ${formatNumber(duration_above)} seconds`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** A list shows one rate per kind: the one without conditions. */
export function mainComponents(components: readonly PriceComponent[]): PriceComponent[] {
  const kinds = [...new Set(components.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const ofKind = components.filter((component) => component.kind === kind);
    const [main] = ofKind.filter(({ when }) => !when).concat(ofKind);
    return main ? [main] : [];
  });
}

/** `1.25 / 1M input`, short enough for a table cell. */
export function shortRate({ kind, rate, per }: PriceComponent): string {
  const count = per === 1_000_000 ? "1M " : per === 1_000 ? "1k " : per === 1 ? "" : `${formatNumber(per)} `;
  const what = unitOfKind[kind] === "token" ? shortTokens[kind] : kindLabels[kind].one;
  return `${rate} / ${count}${what}`;
}

const shortTokens: Partial<Record<PriceComponent["kind"], string>> = {
  input_token: "input",
  cached_input_token: "cached input",
  cache_write_token: "cache write",
  cache_write_1h_token: "1 h cache write",
  audio_input_token: "audio input",
  output_token: "output",
  reasoning_token: "reasoning",
  audio_output_token: "audio output",
  token: "tokens",
};
