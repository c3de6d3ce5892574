import type { List, PageQuery } from "#contract/list.ts";
import type { Note } from "#contract/notes.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import type { Context } from "#gateway/context.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { notes } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { aboutSubject, assertSubject, type Subject } from "./subject.ts";
import { noteView } from "./view.ts";

/** The notes on a subject, newest first. Throws `prediction_not_found` or `delivery_not_found`. */
export async function listNotes(
  context: Context,
  accountId: string,
  subject: Subject,
  query: PageQuery,
): Promise<List<Note>> {
  const { queries } = context.database;
  await assertSubject(context, queries, accountId, subject);
  const page = keyset("note", notes.id, query, [aboutSubject(accountId, subject)]);
  const rows = await queries.select().from(notes).where(page.where).orderBy(page.order).limit(page.limit);
  const makerOf = await readMakers(queries, rows);
  return withTotal(
    queries,
    page,
    listOf(page, rows, (row) => noteView(row, makerOf)),
  );
}
