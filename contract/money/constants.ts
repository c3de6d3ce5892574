/** The constants of money. They are apart from the schemas because pages do not need the schemas. */

/**
 * The kinds of usage that can have a price. No unit of a run counts in two kinds: a cached or audio token is
 * not also an input token, a reasoning token is not also an output token, and a token cached for an hour is
 * not also a normal cache write. `token` is for operations that do not distinguish input from output.
 */
export const priceKinds = [
  "input_token",
  "cached_input_token",
  "cache_write_token",
  "cache_write_1h_token",
  "audio_input_token",
  "output_token",
  "reasoning_token",
  "audio_output_token",
  "token",
  "character",
  "second",
  "image",
  "input_image",
  "operation",
  "search",
] as const;
export type PriceKind = (typeof priceKinds)[number];

export const priceUnits = ["token", "character", "second", "image", "operation", "search"] as const;
export type PriceUnit = (typeof priceUnits)[number];

/** The unit of each kind. */
export const unitOfKind: Readonly<Record<PriceKind, PriceUnit>> = {
  input_token: "token",
  cached_input_token: "token",
  cache_write_token: "token",
  cache_write_1h_token: "token",
  audio_input_token: "token",
  output_token: "token",
  reasoning_token: "token",
  audio_output_token: "token",
  token: "token",
  character: "character",
  second: "second",
  image: "image",
  input_image: "image",
  operation: "operation",
  search: "search",
};

/**
 * For a kind without a component, the kind whose component prices it. If that kind has none either, its own
 * fallback is next.
 */
export const insteadOfKind: Readonly<Partial<Record<PriceKind, PriceKind>>> = {
  cached_input_token: "input_token",
  cache_write_token: "input_token",
  cache_write_1h_token: "cache_write_token",
  audio_input_token: "input_token",
  reasoning_token: "output_token",
  audio_output_token: "output_token",
  token: "input_token",
};

/** Why a cost has no amount, or is zero. */
export const costReasons = ["not_priced", "sandbox", "nothing_billed"] as const;
export type CostReason = (typeof costReasons)[number];

export const priceLimits = {
  components: 60,
  /** Most prices in one import, and in the prices file. */
  atOnce: 5_000,
  per: 1_000_000_000,
} as const;

/** Texts of a price and a markup, for their schemas and forms. */
export const priceFields = {
  model: { minLength: 1, maxLength: 200 },
  percent: { pattern: "^-?\\d{1,5}(\\.\\d{1,6})?$" },
} as const;

/** Texts of a credit, for its schema and its form. */
export const creditFields = { note: { minLength: 1, maxLength: 500, pattern: "\\S" } } as const;
