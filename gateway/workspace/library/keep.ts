import type { AuditAction } from "#contract/audit.ts";
import type { KeepRequest, Output } from "#contract/outputs.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { releaseReservation } from "#gateway/files/storage/reserved-files.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { keptOutputs } from "#gateway/platform/database/schema.ts";
import { promptOf } from "#gateway/runs/operations/prompt-of.ts";
import { findOutput, outputFileRemoved } from "#gateway/runs/provenance/find-outputs.ts";
import type { StoredRow } from "#gateway/runs/provenance/output-row.ts";
import { copyFiles, dropCopies } from "./copy.ts";
import { readOutput } from "./read.ts";
import { sourceOf } from "./source.ts";
import { defaultKeptUntil, type Terms, termsOf } from "./terms.ts";
import { wordsOf } from "./words.ts";

/** More of a prompt is not shown beside a file. */
const promptLength = 2_000;

/**
 * Copies an output into the account's library; of one that is there, changes the labels and the retention, and one that was
 * removed a moment ago comes back. Throws `keeping_off`, `output_not_found`, `payload_purged`, `storage_limit_exceeded`, and as
 * `assertMayLook` and `sourceOf`.
 */
export async function keepOutput(
  context: Context,
  caller: Caller,
  id: string,
  request: KeepRequest,
): Promise<Output> {
  const { actor } = caller;
  const terms = termsOf(context, request);
  const output = await findOutput(context.database.queries, actor.accountId, id);
  await assertMayLook(context, actor, output.model);
  if (!(await changeKept(context, caller, id, terms))) {
    const { key, expiresAt } = output;
    if (key === null || expiresAt <= clock.date()) throw outputFileRemoved();
    const isNew = await keepNew(context, caller, { ...output, key }, request, terms);
    // Somebody else has kept it meanwhile.
    if (!isNew) await changeKept(context, caller, id, terms);
  }
  const { input: _, ...view } = await readOutput(context, actor, id);
  return view;
}

/** False when it is not in the library. */
async function changeKept(context: Context, caller: Caller, id: string, terms: Terms): Promise<boolean> {
  return context.database.transaction(async (queries) => {
    const [row] = await queries
      .select({ labels: keptOutputs.labels, keptUntil: keptOutputs.keptUntil, goesAt: keptOutputs.goesAt })
      .from(keptOutputs)
      .where(and(eq(keptOutputs.outputId, id), eq(keptOutputs.accountId, caller.actor.accountId)))
      .for("update");
    if (!row) return false;
    const isOver = row.keptUntil !== null && row.keptUntil <= clock.date();
    const labels = terms.labels ?? row.labels;
    const before = isOver ? defaultKeptUntil(context) : row.keptUntil;
    const keptUntil = terms.keptUntil === undefined ? before : terms.keptUntil;
    await queries
      .update(keptOutputs)
      .set({ labels, keptUntil, goesAt: null })
      .where(eq(keptOutputs.outputId, id));
    await audit(queries, caller, id, "output.updated", { labels, keptUntil });
    return true;
  });
}

/** False when it is in the library already. */
async function keepNew(
  context: Context,
  caller: Caller,
  output: StoredRow,
  request: KeepRequest,
  terms: Terms,
): Promise<boolean> {
  const { actor } = caller;
  const { id, accountId, model, sizeBytes } = output;
  const source = await sourceOf(context, output, request);
  const { input } = source;
  const { reservation, key, media } = await copyFiles(context, output, source.media);
  const prompt = promptOf(input);
  const labels = terms.labels ?? [];
  const keptUntil = terms.keptUntil === undefined ? defaultKeptUntil(context) : terms.keptUntil;
  const inputBytes = input ? Buffer.byteLength(JSON.stringify(input)) : 0;
  try {
    const isNew = await context.database.transaction(async (queries) => {
      const made = await queries
        .insert(keptOutputs)
        .values({
          outputId: id,
          accountId,
          model,
          key,
          apiType: source.apiType,
          svcRegion: source.svcRegion,
          input,
          media,
          storedBytes: media.reduce((sum, file) => sum + file.sizeBytes, sizeBytes + inputBytes),
          prompt: prompt?.slice(0, promptLength).toWellFormed() ?? null,
          words: wordsOf(prompt ?? ""),
          labels,
          keyId: actor.kind === "key" ? actor.id : null,
          userId: actor.userId,
          keptAt: clock.date(),
          keptUntil,
        })
        .onConflictDoNothing()
        .returning({ id: keptOutputs.outputId });
      if (made.length === 0) return false;
      // Gone with the account, which is being deleted.
      if (!(await releaseReservation(queries, reservation))) throw outputFileRemoved();
      await context.storageLimit.assertWithin(queries, accountId);
      await audit(queries, caller, id, "output.kept", { labels, keptUntil, model });
      return true;
    });
    if (!isNew) await dropCopies(context, reservation);
    return isNew;
  } catch (error) {
    await dropCopies(context, reservation);
    throw error;
  }
}

async function audit(
  queries: Queries,
  { actor, ip, requestId }: Caller,
  targetId: string,
  action: AuditAction,
  { labels, keptUntil, model }: { labels: string[]; keptUntil: Date | null; model?: string },
): Promise<void> {
  const until = keptUntil?.toISOString() ?? null;
  const detail = { ...(model !== undefined && { model }), labels, kept_until: until };
  await recordAudit(queries, { accountId: actor.accountId, actor, action, targetId, detail, ip, requestId });
}
