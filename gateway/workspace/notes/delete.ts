import type { Deleted } from "#contract/list.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { notes } from "#gateway/platform/database/schema.ts";
import { isOwn, lockNote } from "./find.ts";
import type { Subject } from "./subject.ts";

/** Deletes one's own note; an owner any. Throws `note_not_found`, `note_not_yours`. */
export async function deleteNote(
  context: Context,
  { actor, ip, requestId }: Caller,
  subject: Subject,
  id: string,
): Promise<Deleted> {
  const { accountId } = actor;
  await context.database.transaction(async (queries) => {
    const note = await lockNote(queries, accountId, subject, id);
    if (!isOwn(note, actor) && actor.role !== "owner")
      throw new ApiError(
        "note_not_yours",
        "Only the author of a note or an owner of the account can delete it.",
      );
    await queries.delete(notes).where(eq(notes.id, id));
    await recordAudit(queries, {
      accountId,
      actor,
      action: "note.deleted",
      targetId: id,
      detail: { on: subject.id, of: note.userId ?? note.keyId },
      ip,
      requestId,
    });
  });
  return { id, object: "note", deleted: true };
}
