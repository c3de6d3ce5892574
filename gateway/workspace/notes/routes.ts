import type { FastifyReply } from "fastify";
import { deliveryNoteRoutes, predictionNoteRoutes } from "#contract/routes/notes.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { sendOnce } from "#gateway/platform/http/idempotency.ts";
import { type RequestOf, serve } from "#gateway/platform/http/serve.ts";
import { createNote } from "./create.ts";
import { deleteNote } from "./delete.ts";
import { listNotes } from "./list.ts";
import type { Subject } from "./subject.ts";
import { updateNote } from "./update.ts";

/** Notes on predictions and on deliveries: the same verbs under two paths. */
export function installNotes(app: App, context: Context): void {
  const onPrediction = verbsOn(context, "prediction");
  serve(app, predictionNoteRoutes, {
    "GET /predictions/{id}/notes": onPrediction.list,
    "POST /predictions/{id}/notes": onPrediction.leave,
    "PATCH /predictions/{id}/notes/{note_id}": onPrediction.change,
    "DELETE /predictions/{id}/notes/{note_id}": onPrediction.remove,
  });
  const onDelivery = verbsOn(context, "delivery");
  serve(app, deliveryNoteRoutes, {
    "GET /webhooks/deliveries/{id}/notes": onDelivery.list,
    "POST /webhooks/deliveries/{id}/notes": onDelivery.leave,
    "PATCH /webhooks/deliveries/{id}/notes/{note_id}": onDelivery.change,
    "DELETE /webhooks/deliveries/{id}/notes/{note_id}": onDelivery.remove,
  });
}

type NoteRoutes = typeof predictionNoteRoutes;
/** Both paths are asked alike. */
type Asked<Name extends keyof NoteRoutes> = RequestOf<Name, NoteRoutes[Name]>;

function verbsOn(context: Context, kind: Subject["kind"]) {
  const subjectOf = ({ id }: { id: string }): Subject => ({ kind, id });
  return {
    list: (request: Asked<"GET /predictions/{id}/notes">) =>
      listNotes(context, actorOf(request).accountId, subjectOf(request.params), request.query),
    leave(request: Asked<"POST /predictions/{id}/notes">, reply: FastifyReply) {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => {
        const body = await createNote(context, caller, subjectOf(request.params), request.body);
        return { status: 201, headers: {}, body };
      });
    },
    change: (request: Asked<"PATCH /predictions/{id}/notes/{note_id}">) =>
      updateNote(
        context,
        callerOf(request, actorOf(request)),
        subjectOf(request.params),
        request.params.note_id,
        request.body,
      ),
    remove: (request: Asked<"DELETE /predictions/{id}/notes/{note_id}">) =>
      deleteNote(
        context,
        callerOf(request, actorOf(request)),
        subjectOf(request.params),
        request.params.note_id,
      ),
  };
}
