import { hash, randomBytes } from "node:crypto";
import type { AttestationKind } from "#contract/attestations.ts";
import { statements } from "#gateway/access/accounts/attestations/active.ts";
import type { ReceiptFacts, SaltedHash } from "#gateway/platform/database/tables/predictions.ts";

const saltBytes = 16;

/** What a run got and made, as it settles. */
export interface SettledRun {
  model: string;
  input: unknown;
  /** Of a response. */
  output?: unknown;
  /** As in `ReceiptFacts`. */
  provider?: string | null;
  /** The hashes of the stored files, in their order; undefined: a process of an earlier release did not hash it. */
  fileHashes: readonly (string | undefined)[];
}

/**
 * What a receipt says that must be taken when the run settles: input and outputs are removed later. `gatesOf`: what
 * `attestationsToLook` answers. A run passes a gate with the current version of its statement only, and that changes with a
 * release.
 */
export function takeFacts(
  gatesOf: (model: string) => readonly AttestationKind[],
  { model, input, output, fileHashes, provider }: SettledRun,
): ReceiptFacts {
  const gates: ReceiptFacts["gates"] = gatesOf(model).map((kind) => ({
    gate: kind,
    statementVersion: statements[kind].version,
  }));
  return {
    ...(provider !== undefined && { provider }),
    gates: isConfirmed(input)
      ? [...gates, { gate: "person_rights_confirmation", statementVersion: null }]
      : gates,
    input: saltedHash(canonicalJson(input)),
    ...(output !== undefined && { output: saltedHash(canonicalJson(output)) }),
    outputFiles: fileHashes.map((sha256) => (sha256 === undefined ? null : saltedHash(sha256))),
  };
}

function isConfirmed(input: unknown): boolean {
  return (input as { person_rights_confirmed?: unknown } | null)?.person_rights_confirmed === true;
}

function saltedHash(text: string): SaltedHash {
  const salt = randomBytes(saltBytes).toString("hex");
  return { salt, sha256: hash("sha256", salt + text) };
}

/** The input with each file replaced by `sha256:` and the hash of its bytes, so that it does not depend on an address. */
export function withHashes(
  input: Record<string, unknown>,
  media: readonly { path: string; sha256?: string }[],
): Record<string, unknown> {
  if (media.length === 0) return input;
  const copy = structuredClone(input);
  for (const { path, sha256 } of media)
    if (sha256 !== undefined) replaceAt(copy, path, () => `sha256:${sha256}`);
  return copy;
}

/** Replaces the text at a JSON pointer, in place; nothing where there is none. */
export function replaceAt(
  object: Record<string, unknown>,
  pointer: string,
  replaced: (text: string) => string,
): void {
  const steps = pointer.split("/").slice(1);
  const last = steps.pop() ?? "";
  let parent: unknown = object;
  for (const step of steps) parent = (parent as Record<string, unknown> | undefined)?.[step];
  const holder = parent as Record<string, unknown> | undefined;
  const value = holder?.[last];
  if (holder && typeof value === "string") holder[last] = replaced(value);
}

/**
 * JSON in canonical form (RFC 8785). Its numbers and strings are those of `JSON.stringify`, from which that standard took
 * them; what is left to do is to sort the names by their UTF-16 units, as `sort` does. Half of a surrogate pair is escaped, where
 * the standard refuses the text: a model's output may contain one.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const named = value as Record<string, unknown>;
  const members = Object.keys(named)
    .sort()
    .flatMap((name) =>
      named[name] === undefined ? [] : `${JSON.stringify(name)}:${canonicalJson(named[name])}`,
    );
  return `{${members.join(",")}}`;
}
