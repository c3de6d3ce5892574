import type { Provenance } from "#contract/outputs.ts";

type Reason = NonNullable<Provenance["reason"]>;

const reasons: Record<Reason, string> = {
  not_read: "not read yet",
  unsupported_type: "this type of file cannot be read here",
  too_large: "too large to be read here",
  reader_missing: "this gateway is installed without the reader (@contentauth/c2pa-wasm)",
  timeout: "could not be read in time",
  failed: "could not be read",
};

/** The reader cannot tell these two apart. */
const invalid = "the check failed: the file was changed since, or the signature is wrong";

/** The state of a file's Content Credentials in one line. */
export function describeCredentials({ state, issuer, claims, reason }: Provenance): string {
  if (state === "absent") return "none";
  if (state === "unknown") return reasons[reason ?? "failed"] ?? "not known";
  if (claims?.validation === "unreadable") return "there are some, but they cannot be read";
  const signer = issuer ? `signed by ${issuer}` : "signed";
  return claims?.validation === "invalid" ? `${signer}, but ${invalid}` : signer;
}

const sources: Record<string, string> = {
  trainedAlgorithmicMedia: "Made by a generative model",
  compositeWithTrainedAlgorithmicMedia: "Edited with a generative model",
  algorithmicMedia: "Made by a program",
  digitalCapture: "Taken by a camera",
  digitalCreation: "Made by a person with a program",
};

/** IPTC's terms as text; an unknown term is shown unchanged. */
export function labelSource(term: string): string {
  const name = term.split("/").at(-1) ?? term;
  return Object.hasOwn(sources, name) ? (sources[name] ?? term) : term;
}
