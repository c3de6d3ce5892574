import type { Maker } from "#contract/accounts/people.ts";
import { newId } from "#contract/ids.ts";
import { type Deleted, deleted, type List, type PageQuery } from "#contract/list.ts";
import {
  deliveryNoteRoutes,
  type Note,
  type NoteWrite,
  noteLimits,
  predictionNoteRoutes,
} from "#contract/notes.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import { deliveryNotFound } from "#gateway/events/webhooks/deliveries/read.ts";
import { type Actor, type Caller, madeBy } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { findOwn, lockName, readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, type SQL } from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { notes, predictions, webhookDeliveryKeys } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { type RequestOf, serve } from "#gateway/platform/http/serve.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";

/** Notes on predictions and deliveries: the same handlers under two paths. */
export function installNotes(app: App, context: WorkspaceContext): void {
  const onPrediction = verbsOn(context, "prediction");
  serve(app, context, predictionNoteRoutes, {
    "GET /predictions/{id}/notes": onPrediction.list,
    "POST /predictions/{id}/notes": onPrediction.leave,
    "PATCH /predictions/{id}/notes/{note_id}": onPrediction.change,
    "DELETE /predictions/{id}/notes/{note_id}": onPrediction.remove,
  });
  const onDelivery = verbsOn(context, "delivery");
  serve(app, context, deliveryNoteRoutes, {
    "GET /webhooks/deliveries/{id}/notes": onDelivery.list,
    "POST /webhooks/deliveries/{id}/notes": onDelivery.leave,
    "PATCH /webhooks/deliveries/{id}/notes/{note_id}": onDelivery.change,
    "DELETE /webhooks/deliveries/{id}/notes/{note_id}": onDelivery.remove,
  });
}

type NoteRoutes = typeof predictionNoteRoutes;
/** A request of either path: both have the same parameters and bodies. */
type Asked<Name extends keyof NoteRoutes> = RequestOf<Name, NoteRoutes[Name]>;

function verbsOn(context: WorkspaceContext, kind: Subject["kind"]) {
  const subjectOf = ({ id }: { id: string }): Subject => ({ kind, id });
  return {
    list: (request: Asked<"GET /predictions/{id}/notes">) =>
      listNotes(context, request.caller.actor.accountId, subjectOf(request.params), request.query),
    leave: ({ caller, params, body }: Asked<"POST /predictions/{id}/notes">) =>
      createNote(context, caller, subjectOf(params), body),
    change: (request: Asked<"PATCH /predictions/{id}/notes/{note_id}">) =>
      updateNote(context, request.caller, subjectOf(request.params), request.params.note_id, request.body),
    remove: (request: Asked<"DELETE /predictions/{id}/notes/{note_id}">) =>
      deleteNote(context, request.caller, subjectOf(request.params), request.params.note_id),
  };
}

/** The subject of a note. */
interface Subject {
  kind: "prediction" | "delivery";
  id: string;
}

/** The columns of a note that identify its subject. */
function subjectColumns({ kind, id }: Subject) {
  return kind === "prediction" ? { predictionId: id } : { deliveryId: id };
}

/** The notes on this subject of the account. */
function aboutSubject(accountId: string, { kind, id }: Subject): SQL | undefined {
  const column = kind === "prediction" ? notes.predictionId : notes.deliveryId;
  return and(eq(notes.accountId, accountId), eq(column, id));
}

/** Throws `prediction_not_found` or `delivery_not_found`, also for another account's id. */
async function assertSubject(
  context: WorkspaceContext,
  queries: Queries,
  accountId: string,
  { kind, id }: Subject,
): Promise<void> {
  const table = kind === "prediction" ? predictions : webhookDeliveryKeys;
  const [found] = await queries
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, id), eq(table.accountId, accountId)))
    // Locked until the note is written.
    .for("key share");
  if (found) return;
  if (kind === "delivery") throw deliveryNotFound(context, id);
  const note = forgottenNote(context.history, "prediction", id);
  throw new ApiError("prediction_not_found", `There is no prediction ${id}.${note}`);
}

/** The notes on a subject, newest first. Throws `prediction_not_found` or `delivery_not_found`. */
async function listNotes(
  context: WorkspaceContext,
  accountId: string,
  subject: Subject,
  query: PageQuery,
): Promise<List<Note>> {
  const { queries } = context.database;
  await assertSubject(context, queries, accountId, subject);
  const page = keyset("note", notes.id, query, [aboutSubject(accountId, subject)]);
  return readPage(queries, page, queries.select().from(notes).$dynamic(), async (rows) => {
    const makerOf = await readMakers(queries, rows);
    return rows.map((row) => noteView(row, makerOf));
  });
}

/** Adds a note. Throws `prediction_not_found` or `delivery_not_found`, and `too_many_notes`. */
function createNote(
  context: WorkspaceContext,
  caller: Caller,
  subject: Subject,
  { text }: NoteWrite,
): Promise<Note> {
  const { actor } = caller;
  const { accountId } = actor;
  return audited(context, caller, "note.created", async (queries) => {
    await assertSubject(context, queries, accountId, subject);
    await assertRoom(queries, accountId, subject);
    const [made] = await queries
      .insert(notes)
      .values({
        id: newId("note"),
        accountId,
        ...subjectColumns(subject),
        ...madeBy(actor),
        text: text.trim(),
      })
      .returning();
    if (!made) throw new ApiError("internal_error", "The note was not saved.");
    return {
      target: made.id,
      detail: { on: subject.id },
      result: noteView(made, await readMakers(queries, [made])),
    };
  });
}

/** Notes on a subject are added one at a time, so that their number stays within the limit. */
async function assertRoom(queries: Queries, accountId: string, subject: Subject): Promise<void> {
  await lockName(queries, `notes on ${subject.id}`);
  if ((await queries.$count(notes, aboutSubject(accountId, subject))) >= noteLimits.perSubject)
    throw new ApiError(
      "too_many_notes",
      `A ${subject.kind} has at most ${noteLimits.perSubject} notes. Delete or change one of them.`,
    );
}

/** Changes the text of the caller's own note. Throws `note_not_found`, `note_not_yours`. */
function updateNote(
  context: WorkspaceContext,
  caller: Caller,
  subject: Subject,
  id: string,
  { text }: NoteWrite,
): Promise<Note> {
  const { actor } = caller;
  const { accountId } = actor;
  return audited(context, caller, "note.updated", async (queries) => {
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
    return {
      target: id,
      detail: { on: subject.id },
      result: noteView(row, await readMakers(queries, [row])),
    };
  });
}

/** Deletes the caller's own note; an owner may delete any. Throws `note_not_found`, `note_not_yours`. */
async function deleteNote(
  context: WorkspaceContext,
  caller: Caller,
  subject: Subject,
  id: string,
): Promise<Deleted> {
  const { actor } = caller;
  const { accountId } = actor;
  return audited(context, caller, "note.deleted", async (queries) => {
    const note = await lockNote(queries, accountId, subject, id);
    if (!isOwn(note, actor) && actor.role !== "owner")
      throw new ApiError(
        "note_not_yours",
        "Only the author of a note or an owner of the account can delete it.",
      );
    await queries.delete(notes).where(eq(notes.id, id));
    return {
      target: id,
      detail: { on: subject.id, of: note.userId ?? note.keyId },
      result: deleted("note", id),
    };
  });
}

/** The note, locked. Throws `note_not_found`, also for a note on another subject or of another account. */
function lockNote(queries: Queries, accountId: string, subject: Subject, id: string): Promise<NoteRow> {
  const message = `There is no note ${id} on ${subject.id}. It may have been deleted.`;
  const also = aboutSubject(accountId, subject);
  return findOwn(
    queries,
    notes,
    { accountId, id, also, lock: "update" },
    () => new ApiError("note_not_found", message),
  );
}

/**
 * Whether the caller wrote the note: the same member, by session or personal key, or the same service key.
 */
function isOwn({ userId, keyId }: NoteRow, actor: Actor): boolean {
  if (actor.userId !== null) return userId === actor.userId;
  return userId === null && actor.kind === "key" && keyId === actor.id;
}

type NoteRow = typeof notes.$inferSelect;

function noteView(row: NoteRow, makerOf: (row: NoteRow) => Maker): Note {
  return {
    id: row.id,
    object: "note",
    subject_id: row.predictionId ?? row.deliveryId ?? "",
    text: row.text,
    made_by: makerOf(row),
    created_at: row.createdAt.toISOString(),
    edited_at: row.editedAt?.toISOString() ?? null,
  };
}
