import type { ApiType } from "../catalog-constants.ts";

/** Answers of routes that change the configuration: the change's id, by which it is undone. */
export const changeHeader = "x-svc-change-id";

/** Most keys of a provider in a region. */
export const providerKeyLimits = { perRegion: 16, nameLength: 40 } as const;
/** The default name of a key. */
export const onlyKeyName = "main";
/** The upstream protocols. They are apart from the schemas because pages do not need the schemas. */
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
/** Where a file can be proposed from. */
export const proposalSources = ["litellm", "openrouter", "replicate"] as const;
/** Those that list what a key can run. */
export type ProviderSource = Exclude<(typeof proposalSources)[number], "litellm">;
/** The variable that a proposed file names for the key. */
export const variableOfSource: Readonly<Record<ProviderSource, string>> = {
  openrouter: "OPENROUTER_API_KEY",
  replicate: "REPLICATE_API_TOKEN",
};
/** The reason for suspending or deleting an account, for its schema and its forms. */
export const accountStateFields = { reason: { minLength: 1, maxLength: 500, pattern: "\\S" } } as const;
/** Why a node is drained, for its schema and its form. */
export const nodeFields = { reason: { maxLength: 500 } } as const;
/** What operators end for everybody. */
export const endedAccess = ["sessions", "personal_keys"] as const;
export type EndedAccess = (typeof endedAccess)[number];
/** How long ended keys may still work: at most 30 days. */
export const endedKeysGrace = { minimum: 0, maximum: 2_592_000 } as const;
/** What an operator reads before everybody is out. */
export const endedAccessWords: Readonly<Record<EndedAccess, { ends: string; leaves: string }>> = {
  sessions: {
    ends: "Everybody must sign in again, also in other accounts. Sessions that were opened with a key end too.",
    leaves:
      "Account keys, connections of agents and shared links keep working. Signed addresses of files work until they expire, and runs under way finish as usual.",
  },
  personal_keys: {
    ends: "Members must make new personal keys and connect their agents again. Connections end at once, keys after the grace time.",
    leaves:
      "Service keys, sessions and shared links keep working. Signed addresses of files work until they expire, and runs under way finish as usual.",
  },
};
export const proposalLimits = {
  /** The largest configuration of LiteLLM, in bytes. */
  textBytes: 256 * 1024,
  /** The most models whose forms are read at once. */
  models: 20,
} as const;
/** What a providers file may have. An export leaves out prices beyond this, so that the file can be imported again. */
export const fileLimits = {
  /** The file as JSON without white space. */
  bytes: 3_900_000,
  /** The body of an import: the file, and the keys that come with it. */
  bodyBytes: 4_000_000,
  prices: 10_000,
} as const;
/** Texts of a provider, its keys and its routes, for their schemas and forms. */
export const providerFields = {
  name: { pattern: providerNameForm },
  address: { pattern: "^https?://[^\\s?#]+$", maxLength: 500 },
  key: { minLength: 1, maxLength: 4_000 },
  /** Where the gateway reads a key: `env:NAME` or `file:/run/secrets/name`. */
  keyReference: { pattern: "^(env:[A-Za-z_][A-Za-z0-9_]*|file:/.+)$", maxLength: 300 },
  /** The name of one of several keys. */
  keyName: { pattern: "^[A-Za-z0-9][A-Za-z0-9 ._-]*$", maxLength: providerKeyLimits.nameLength },
  upstreamModel: { minLength: 1, maxLength: 300 },
} as const;
/** Numbers of one of several keys, for its schema and its form. */
export const providerKeyRates = {
  share: { minimum: 0, maximum: 1_000 },
  per_minute: { minimum: 1, maximum: 1_000_000 },
  concurrency: { minimum: 1, maximum: 10_000 },
} as const;
/** An entry's id, `<namespace>/<name>`. The namespace `svc` belongs to the specification. */
export const ownModelId = "^[a-z0-9][a-z0-9._-]{0,62}/[a-z0-9][a-z0-9._-]{0,126}$";
/** Texts of a catalog entry, for its schema and its forms. */
export const modelFields = {
  display_name: { minLength: 1, maxLength: 100 },
  description: { maxLength: 2_000 },
} as const;
export type ProviderProtocol = (typeof providerProtocols)[number];

/**
 * Why a request moves on to the next route, always before the caller has received any content: the upstream
 * is busy, cannot be reached, its model cannot take so long an input, the upstream failed before it answered,
 * or it is silent for too long. The last two are only for text, which may run twice. A route may also list
 * `failed` for other operations; the next route is then tried after an answer of 500, for providers that do
 * not bill such an answer.
 */
export const routeReasons = ["busy", "down", "too_long", "failed", "slow"] as const;
export type RouteReason = (typeof routeReasons)[number];
/**
 * What an account pays for a stream that broke or that the client left: everything counted so far, estimates
 * included; only the usage that the upstream reported; or nothing, when the upstream does not bill such a
 * stream.
 */
export const cutStreamRules = ["counted", "reported", "nothing"] as const;
export type CutStreamRule = (typeof cutStreamRules)[number];

/**
 * Kinds of operation that may run twice for one request: they only produce text or numbers, and the caller
 * pays once.
 */
export const textTypes: readonly ApiType[] = ["chat-completions", "embeddings", "rerank"];

/** The default reasons to try the next route, for each kind of operation. */
export function usualRouteReasons(kinds: readonly ApiType[]): readonly RouteReason[] {
  const isText = kinds.length > 0 && kinds.every((kind) => textTypes.includes(kind));
  return isText ? routeReasons : usualMediaReasons;
}
const usualMediaReasons: readonly RouteReason[] = ["busy", "down", "too_long"];

/** Numbers of a route, for their schemas and its form. */
export const routeNumbers = {
  priority: { minimum: 0, maximum: 1_000 },
  weight: { minimum: 0, maximum: 1_000 },
  /** The longest `Retry-After` for which a request can wait. */
  wait_for_retry_after_ms: { minimum: 0, maximum: 3_000 },
} as const;
/** A provider's time-outs, for their schema and their form. */
export const providerTimeoutMs = { minimum: 1, maximum: 3_600_000 } as const;
/** How to handle a stream's event that is not JSON. */
export const malformedEventRules = ["fail", "skip"] as const;
/** Why a key of a provider with several was used. */
export const keyChoices = ["stays", "drawn", "favourite_resting"] as const;
export type KeyChoice = (typeof keyChoices)[number];
/** Whether a conversation stays with a route and its key. */
export const affinityRules = ["on", "off"] as const;
/** How to handle an answer that has content and ends as usual, but without a finish reason. */
export const unfinishedAnswerRules = ["fail", "accept"] as const;

/**
 * Models of large providers that think before they answer and send nothing meanwhile: OpenAI's o series and
 * GPT from 5, Gemini from 2.5, Grok from 4, DeepSeek's reasoner, Qwen's thinking models.
 */
const silentThinkers =
  /(^|[/.])(o[1-9](-|$)|gpt-[5-9](?!.*chat)|gemini-(2\.5|[3-9]|pro-latest)|grok-[4-9]|deepseek-reasoner|qwen.*thinking)/i;

/**
 * Facts that follow from a provider's name for a model: whether the model may think for long without sending
 * anything.
 */
export function thinksSilently(upstreamModel: string): boolean {
  return silentThinkers.test(upstreamModel);
}
