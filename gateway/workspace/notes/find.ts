import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { notes } from "#gateway/platform/database/schema.ts";
import { aboutSubject, type Subject } from "./subject.ts";
import type { NoteRow } from "./view.ts";

/** The note, locked. Throws `note_not_found`, for another subject's or account's too. */
export async function lockNote(
  queries: Queries,
  accountId: string,
  subject: Subject,
  id: string,
): Promise<NoteRow> {
  const [row] = await queries
    .select()
    .from(notes)
    .where(and(eq(notes.id, id), aboutSubject(accountId, subject)))
    .for("update");
  if (!row)
    throw new ApiError(
      "note_not_found",
      `There is no note ${id} on ${subject.id}. It may have been deleted.`,
    );
  return row;
}

/** Whether the caller wrote it: the member, by session or personal key, or the service key. */
export function isOwn({ userId, keyId }: NoteRow, actor: Actor): boolean {
  if (actor.userId !== null) return userId === actor.userId;
  return userId === null && actor.kind === "key" && keyId === actor.id;
}
