import { secondFactorRoutes } from "#contract/routes/sign-in.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { callerOf } from "../audit.ts";
import { originOf } from "../sessions/open.ts";
import { beginTotp, confirmTotp, removeTotp } from "./authenticator.ts";
import { renewRecoveryCodes } from "./changes.ts";
import { beginPasskey, createPasskey, removePasskey, updatePasskey } from "./passkeys.ts";
import { readSecondFactor } from "./read.ts";
import { beginPasskeySignIn, finishSignIn, signInWithPasskey } from "./sign-in.ts";

/** Answers with a secret, a code or a ticket. */
const notStored = { "cache-control": "no-store" } as const;

/** A person's own passkeys, authenticator app and recovery codes. Removing is a POST, because it takes a proof. */
export function installSecondFactor(app: App, context: Context): void {
  signInRoutes(app, context);
  serve(app, secondFactorRoutes, {
    "GET /account/second_factor": (request) => readSecondFactor(context.database.queries, actorOf(request)),
    "POST /account/second_factor/totp": async (request, reply) => {
      const setup = await beginTotp(context, callerOf(request, actorOf(request)), request.body);
      return reply.code(201).headers(notStored).send(setup);
    },
    "POST /account/second_factor/totp/confirm": async (request, reply) => {
      const added = await confirmTotp(context, callerOf(request, actorOf(request)), request.body.code);
      return reply.code(201).headers(notStored).send(added);
    },
    "POST /account/second_factor/totp/remove": async (request) => {
      const actor = actorOf(request);
      await removeTotp(context, callerOf(request, actor), request.body);
      return { id: actor.id, object: "totp", deleted: true as const };
    },
    "POST /account/second_factor/recovery_codes": async (request, reply) => {
      const codes = await renewRecoveryCodes(context, callerOf(request, actorOf(request)), request.body);
      return reply.code(201).headers(notStored).send(codes);
    },
    "POST /account/passkeys/options": async (request, reply) => {
      const options = await beginPasskey(context, callerOf(request, actorOf(request)), request.body);
      return reply.code(201).headers(notStored).send(options);
    },
    "POST /account/passkeys": async (request, reply) => {
      const added = await createPasskey(context, callerOf(request, actorOf(request)), request.body);
      return reply.code(201).headers(notStored).send(added);
    },
    "PATCH /account/passkeys/{id}": (request) =>
      updatePasskey(context, callerOf(request, actorOf(request)), request.params.id, request.body),
    "POST /account/passkeys/{id}/remove": async (request) => {
      const { id } = request.params;
      await removePasskey(context, callerOf(request, actorOf(request)), id, request.body);
      return { id, object: "passkey", deleted: true as const };
    },
    "POST /account/sessions/passkey/options": async (request, reply) => {
      const { ticket } = request.body;
      const options = await beginPasskeySignIn(context, ticket, request.clientAddress);
      return reply.code(201).headers(notStored).send(options);
    },
    "POST /account/sessions/passkey": async (request, reply) => {
      const session = await signInWithPasskey(context, request.body, originOf(request));
      return reply.code(201).headers(notStored).send(session);
    },
    "POST /account/sessions/second_factor": async (request, reply) => {
      const session = await finishSignIn(context, request.body, originOf(request));
      return reply.code(201).headers(notStored).send(session);
    },
  });
}

function signInRoutes(_app: App, _context: Context): void {}
