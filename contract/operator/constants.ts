import type { ApiType } from "../catalog-constants.ts";

/** The keys that a provider may have in a region. */
export const providerKeyLimits = { perRegion: 16, nameLength: 40 } as const;
/** The default name of a key. */
export const onlyKeyName = "main";
/** The upstream protocols, without schemas, which pages do not need. */
export const providerProtocols = [
  "openai",
  "openai-responses",
  "anthropic",
  "dashscope",
  "replicate",
  "fal",
] as const;
/**
 * A provider's name: letters, digits, spaces, dots, dashes and underscores, a letter or digit first.
 */
export const providerNameLength = 63;
export const providerNameForm = `^[A-Za-z0-9][A-Za-z0-9 ._-]{0,${providerNameLength - 1}}$`;
/** Texts of a catalog entry, for its schema and its forms. */
export const modelFields = {
  display_name: { minLength: 1, maxLength: 100 },
  description: { maxLength: 2_000 },
} as const;
export type ProviderProtocol = (typeof providerProtocols)[number];

/**
 * Why the next route is tried, always before the caller has got any content: the upstream has too much to do,
 * it cannot be reached, the input is too long for its model, it failed before it answered, or it is silent
 * for too long. The last two only for text, which may run twice; `failed` also for other operations if a
 * route lists it: then for an answer of 500, of providers that charge nothing for one.
 */
export const routeReasons = ["busy", "down", "too_long", "failed", "slow"] as const;
export type RouteReason = (typeof routeReasons)[number];
/**
 * What an account pays for a stream that broke or whose client left: what was counted of it, an estimate
 * included; only what the upstream itself said that it used; or nothing, where the upstream bills nothing for
 * it.
 */
export const cutStreamRules = ["counted", "reported", "nothing"] as const;
export type CutStreamRule = (typeof cutStreamRules)[number];

/**
 * Kinds of operation that may run twice for one request: they make only text or numbers, and the caller pays
 * once.
 */
export const textTypes: readonly ApiType[] = ["chat-completions", "embeddings", "rerank"];

/** The default reasons to try the next route, by kind of operation. */
export function usualRouteReasons(kinds: readonly ApiType[]): readonly RouteReason[] {
  const isText = kinds.length > 0 && kinds.every((kind) => textTypes.includes(kind));
  return isText ? routeReasons : usualMediaReasons;
}
const usualMediaReasons: readonly RouteReason[] = ["busy", "down", "too_long"];

/** The longest `Retry-After` that a request can wait for. */
export const maxRetryAfterWaitMs = 3_000;
/** How a stream's event that is not JSON is handled. */
export const malformedEventRules = ["fail", "skip"] as const;

/**
 * Models of large providers that think before they answer and send nothing meanwhile: the o series and GPT-5
 * of OpenAI, Gemini, Grok.
 */
const silentThinkers = /(^|[/.])(o[1-9](-|$)|gpt-5(?!.*chat)|gemini-(2\.5|[3-9])|grok-4)/i;

/**
 * Facts that a provider's name for a model gives away: whether it may think for long without sending
 * anything.
 */
export function thinksSilently(upstreamModel: string): boolean {
  return silentThinkers.test(upstreamModel);
}
