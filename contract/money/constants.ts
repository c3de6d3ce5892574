/** The constants of money, without schemas, which pages do not need. */

/**
 * The kinds of usage that can have a price. The kinds of a run are disjoint: a cached or audio token is not
 * also an input token, a reasoning token not also an output token, a token that is cached for an hour not
 * also a usual write. `token`: those of an operation that does not tell input from output.
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
 * The kind by which a kind is priced that has no component of its own; if that has none either, the kind
 * after it.
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
  /** Maximum number of prices in one import, and in the file. */
  atOnce: 5_000,
  per: 1_000_000_000,
} as const;
