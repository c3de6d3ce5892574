import { newId } from "#contract/ids.ts";
import { type Note, type NoteWrite, noteLimits } from "#contract/notes.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { count, sql } from "#gateway/platform/database/drizzle.ts";
import { notes } from "#gateway/platform/database/schema.ts";
import { aboutSubject, assertSubject, type Subject, subjectColumns } from "./subject.ts";
import { noteView } from "./view.ts";

/** Leaves a note. Throws `prediction_not_found` or `delivery_not_found`, and `too_many_notes`. */
export function createNote(
  context: Context,
  { actor, ip, requestId }: Caller,
  subject: Subject,
  { text }: NoteWrite,
): Promise<Note> {
  const { accountId } = actor;
  return context.database.transaction(async (queries) => {
    await assertSubject(context, queries, accountId, subject);
    await assertRoom(queries, accountId, subject);
    const [made] = await queries
      .insert(notes)
      .values({
        id: newId("note"),
        accountId,
        ...subjectColumns(subject),
        keyId: actor.kind === "key" ? actor.id : null,
        userId: actor.userId,
        text: text.trim(),
      })
      .returning();
    if (!made) throw new ApiError("internal_error", "The note was not saved.");
    await recordAudit(queries, {
      accountId,
      actor,
      action: "note.created",
      targetId: made.id,
      detail: { on: subject.id },
      ip,
      requestId,
    });
    return noteView(made, await readMakers(queries, [made]));
  });
}

/** Notes on a subject are left one after the other, so that their number stays within the limit. */
async function assertRoom(queries: Queries, accountId: string, subject: Subject): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`notes on ${subject.id}`}, 0))`);
  const [left] = await queries.select({ count: count() }).from(notes).where(aboutSubject(accountId, subject));
  if ((left?.count ?? 0) >= noteLimits.perSubject)
    throw new ApiError(
      "too_many_notes",
      `A ${subject.kind} has at most ${noteLimits.perSubject} notes. Delete or change one of them.`,
    );
}
