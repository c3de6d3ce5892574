import { ulid } from "ulid";

/** Every identifier is `<prefix>_` + a 26-character lower-case ULID, so ids sort by creation time. */
export const idPrefixes = {
  prediction: "pred",
  generation: "gen",
  upload: "upl",
  endpoint: "we",
  delivery: "dlv",
  attempt: "att",
  event: "evt",
  key: "key",
  request: "req",
  account: "acct",
  user: "usr",
  session: "ses",
  attestation: "atst",
  audit: "aud",
  retryRun: "bulk",
} as const;

export type IdKind = keyof typeof idPrefixes;

/** A fresh identifier of the given kind. */
export function newId(kind: IdKind): string {
  return `${idPrefixes[kind]}_${ulid().toLowerCase()}`;
}

/** Whether `value` has the form of an identifier of the given kind. */
export function isId(kind: IdKind, value: unknown): value is string {
  return typeof value === "string" && new RegExp(`^${idPrefixes[kind]}_[0-9a-hjkmnp-tv-z]{26}$`).test(value);
}
