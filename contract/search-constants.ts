/** What a search finds, in the order in which it is shown. */
export const foundKinds = [
  "endpoint",
  "preset",
  "conversation",
  "batch",
  "key",
  "member",
  "alias",
  "destination",
  "upload",
  "model",
  "provider",
  "prediction",
  "delivery",
] as const;
export type FoundKind = (typeof foundKinds)[number];

/** Per group. */
export const foundLimit = { max: 20, default: 5 } as const;
