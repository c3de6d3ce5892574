import type { Note, NoteWrite } from "#contract/notes.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { notes } from "#gateway/platform/database/schema.ts";
import { isOwn, lockNote } from "./find.ts";
import type { Subject } from "./subject.ts";
import { noteView } from "./view.ts";

/** Changes the text of one's own note: nobody changes somebody else's. Throws `note_not_found`, `note_not_yours`. */
export function updateNote(
  context: Context,
  { actor, ip, requestId }: Caller,
  subject: Subject,
  id: string,
  { text }: NoteWrite,
): Promise<Note> {
  const { accountId } = actor;
  return context.database.transaction(async (queries) => {
    const old = await lockNote(queries, accountId, subject, id);
    if (!isOwn(old, actor))
      throw new ApiError(
        "note_not_yours",
        "Only the author of a note can change it. Leave a note of your own instead.",
      );
    const [row = old] = await queries
      .update(notes)
      .set({ text: text.trim(), editedAt: clock.date() })
      .where(eq(notes.id, id))
      .returning();
    await recordAudit(queries, {
      accountId,
      actor,
      action: "note.updated",
      targetId: id,
      detail: { on: subject.id },
      ip,
      requestId,
    });
    return noteView(row, await readMakers(queries, [row]));
  });
}
