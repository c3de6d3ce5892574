import { hash, randomBytes } from "node:crypto";
import type { AttestationKind } from "#contract/attestations.ts";
import { statements } from "#gateway/access/accounts/attestations/gates.ts";
import { replaceAt } from "#gateway/models/providers/media/inputs.ts";
import { hashOfJson } from "#gateway/platform/core/canonical-json.ts";
import type { ReceiptFacts, SaltedHash } from "#gateway/platform/database/tables/predictions.ts";

const saltBytes = 16;

/** The inputs and results of a run at the time when it is settled. */
export interface SettledRun {
  model: string;
  input: unknown;
  /** The output of a response. */
  output?: unknown;
  /** The provider that ran it, as `ReceiptFacts` names it. */
  provider?: string | null;
  /** The hashes of the stored files, in their order; undefined: a process of an earlier release did not hash it. */
  fileHashes: readonly (string | undefined)[];
}

/**
 * Collects the content of a receipt when the run settles, because input and outputs are removed later.
 * `gatesOf`: the result of `attestationsToLook`. A run passes a gate only with the current version of its
 * statement, which may change with a release.
 */
export async function takeFacts(
  gatesOf: (model: string) => readonly AttestationKind[],
  { model, input, output, fileHashes, provider }: SettledRun,
): Promise<ReceiptFacts> {
  const gates: ReceiptFacts["gates"] = gatesOf(model).map((kind) => ({
    gate: kind,
    statementVersion: statements[kind].version,
  }));
  return {
    ...(provider !== undefined && { provider }),
    gates: isConfirmed(input)
      ? [...gates, { gate: "person_rights_confirmation", statementVersion: null }]
      : gates,
    input: await hashOfContent(input),
    ...(output !== undefined && { output: await hashOfContent(output) }),
    outputFiles: fileHashes.map((sha256) => (sha256 === undefined ? null : hashOfFile(sha256))),
  };
}

function isConfirmed(input: unknown): boolean {
  return (input as { person_rights_confirmed?: unknown } | null)?.person_rights_confirmed === true;
}

async function hashOfContent(content: unknown): Promise<SaltedHash> {
  const salt = newSalt();
  return { salt, sha256: await hashOfJson(content, salt) };
}

/** `sha256` is the hash of the file's bytes, so the file need not be read again. */
function hashOfFile(sha256: string): SaltedHash {
  const salt = newSalt();
  return { salt, sha256: hash("sha256", salt + sha256) };
}

function newSalt(): string {
  return randomBytes(saltBytes).toString("hex");
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
