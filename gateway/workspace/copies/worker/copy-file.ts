import path from "node:path";
import { attesterOf } from "#gateway/access/accounts/attestations/gates.ts";
import type { Context } from "#gateway/context.ts";
import { assertMayLook, attestationsToLook } from "#gateway/models/catalog/clearance.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/unavailable.ts";
import { findOutput } from "#gateway/runs/provenance/find-outputs.ts";
import type { OutputRow } from "#gateway/runs/provenance/output-row.ts";
import type { Buckets } from "../s3/buckets.ts";
import { type AttemptFailure, failure, failureOf } from "../s3/failure.ts";
import { openSecret } from "../seal.ts";
import type { ClaimedCopy } from "./claim.ts";

export type CopyOutcome =
  | { result: "copied"; objectName: string; statusCode: number }
  /** `isFinal`: it would fail again. `isTheirs`: the destination's own fault, which its page shows. */
  | { result: "failed"; failure: AttemptFailure; isFinal: boolean; isTheirs: boolean }
  /** By the end of this process: as if it had not begun. */
  | { result: "stopped" };

/** `<prefix><run>/<number>.<ending>`: the same for every attempt, so that a repeated one overwrites the same object. */
export function objectNameOf(prefix: string, { runId, position }: OutputRow, key: string): string {
  return `${prefix}${runId}/${position}${path.posix.extname(key)}`;
}

/** Copies a file once. Throws only while the database is away. */
export async function copyFile(
  context: Context,
  buckets: Buckets,
  claimed: ClaimedCopy,
  signal: AbortSignal,
): Promise<CopyOutcome> {
  const { copy, destination } = claimed;
  const ours = (made: AttemptFailure, isFinal: boolean): CopyOutcome => ({
    result: "failed",
    failure: made,
    isFinal,
    isTheirs: false,
  });
  try {
    const output = await findOutput(context.database.queries, copy.accountId, copy.outputId);
    const closed = await closedGate(context, claimed, output.model);
    if (closed !== null)
      return ours(
        failure("attestation_required", { error: { code: "attestation_required", message: closed } }),
        true,
      );
    const secretAccessKey = openSecret(context.config, destination);
    const { file } = output;
    // Before the file is opened: while something loads, an error of its stream would have no listener.
    const { putFile } = await import("../s3/put-file.ts");
    const client = await buckets.clientOf({ ...destination, secretAccessKey });
    try {
      const stored = file && (await context.store.get(file.key));
      if (!file || !stored) return ours(failure("file_removed"), true);
      const objectName = objectNameOf(destination.prefix, output, file.key);
      const place = { Bucket: destination.bucket, Key: objectName };
      return await putFile(client, place, output, stored.stream, signal).then(
        (statusCode): CopyOutcome => ({ result: "copied", objectName, statusCode }),
        (error: unknown): CopyOutcome =>
          signal.aborted
            ? { result: "stopped" }
            : { result: "failed", failure: failureOf(error), isFinal: false, isTheirs: true },
      );
    } finally {
      client.destroy();
    }
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    context.log.error({ err: error, copy: claimed.copy.id }, "copies: a file could not be read");
    return ours(failure("internal_error"), false);
  }
}

/**
 * What is missing before a gated model's file may be copied, in words; null: nothing. Who asked for it must have attested, now. Of
 * automatic copies that is who set the destination up, and only for models that are named there.
 */
async function closedGate(
  context: Context,
  { copy, destination }: ClaimedCopy,
  model: string,
): Promise<string | null> {
  const needed = await attestationsToLook(context);
  if (needed(model).length === 0) return null;
  const isAsked = copy.userId !== null || copy.keyId !== null;
  const isNamed = destination.automatic === "chosen" && destination.models.includes(model);
  if (!isAsked && !isNamed)
    return `${model} needs an attestation, and its files are copied by themselves only to a destination that names it. Name it there, or retry by hand.`;
  const { accountId, userId, keyId } = isAsked ? copy : destination;
  const who = await attesterOf(context, { accountId, userId, keyId });
  try {
    await assertMayLook(context, who, model);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
