import type { FastifyReply, FastifyRequest } from "fastify";
import type { NoteWrite } from "#contract/notes.ts";
import { deliveryNoteRoutes, predictionNoteRoutes } from "#contract/routes/notes.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { sendOnce } from "#gateway/http/idempotency.ts";
import { serve } from "#gateway/http/serve.ts";
import { createNote } from "./create.ts";
import { deleteNote } from "./delete.ts";
import { listNotes } from "./list.ts";
import type { Subject } from "./subject.ts";
import { updateNote } from "./update.ts";

/** Notes on predictions and on deliveries: the same verbs under two paths. */
export function installNotes(app: App, context: Context): void {
  serve(app, predictionNoteRoutes, {
    "GET /predictions/{id}/notes": (request) =>
      listNotes(context, actorOf(request).accountId, prediction(request.params), request.query),
    "POST /predictions/{id}/notes": (request, reply) =>
      leave(context, request, reply, prediction(request.params), request.body),
    "PATCH /predictions/{id}/notes/{note_id}": (request) =>
      updateNote(
        context,
        callerOf(request, actorOf(request)),
        prediction(request.params),
        request.params.note_id,
        request.body,
      ),
    "DELETE /predictions/{id}/notes/{note_id}": (request) =>
      deleteNote(
        context,
        callerOf(request, actorOf(request)),
        prediction(request.params),
        request.params.note_id,
      ),
  });
  serve(app, deliveryNoteRoutes, {
    "GET /webhooks/deliveries/{id}/notes": (request) =>
      listNotes(context, actorOf(request).accountId, delivery(request.params), request.query),
    "POST /webhooks/deliveries/{id}/notes": (request, reply) =>
      leave(context, request, reply, delivery(request.params), request.body),
    "PATCH /webhooks/deliveries/{id}/notes/{note_id}": (request) =>
      updateNote(
        context,
        callerOf(request, actorOf(request)),
        delivery(request.params),
        request.params.note_id,
        request.body,
      ),
    "DELETE /webhooks/deliveries/{id}/notes/{note_id}": (request) =>
      deleteNote(
        context,
        callerOf(request, actorOf(request)),
        delivery(request.params),
        request.params.note_id,
      ),
  });
}

const prediction = ({ id }: { id: string }): Subject => ({ kind: "prediction", id });
const delivery = ({ id }: { id: string }): Subject => ({ kind: "delivery", id });

function leave(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  subject: Subject,
  body: NoteWrite,
) {
  const caller = callerOf(request, actorOf(request));
  return sendOnce(context, request, reply, caller.actor, async () => {
    return { status: 201, headers: {}, body: await createNote(context, caller, subject, body) };
  });
}
