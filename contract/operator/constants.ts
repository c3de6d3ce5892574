/** The keys that a provider may have in a region. */
export const providerKeyLimits = { perRegion: 16, nameLength: 40 } as const;
/** The name of a key that was given without one. */
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
/** Of a provider: letters, digits, spaces, dots, dashes and underscores, 63 at most, a letter or digit first. */
export const providerNameForm = "^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$";
export type ProviderProtocol = (typeof providerProtocols)[number];

/**
 * Why the next route is tried, always before anything has begun: the upstream has too much to do, it cannot be reached, the input is too
 * long for its model, or it failed by an answer of 500. The last only of providers that charge nothing for such an answer.
 */
export const routeReasons = ["busy", "down", "too_long", "failed"] as const;
export type RouteReason = (typeof routeReasons)[number];
/**
 * What an account pays for a stream that broke or whose client left: what was counted of it, an estimate included; only what the
 * upstream itself said that it used; or nothing, where the upstream bills nothing for it.
 */
export const cutStreamRules = ["counted", "reported", "nothing"] as const;
export type CutStreamRule = (typeof cutStreamRules)[number];

/** Of a route that says nothing else. */
export const usualRouteReasons: readonly RouteReason[] = ["busy", "down", "too_long"];
