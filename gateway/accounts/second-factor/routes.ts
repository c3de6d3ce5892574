import { Type } from "typebox";
import { Deleted, NoQuery } from "#contract/list.ts";
import {
  Passkey,
  PasskeyCreate,
  PasskeyOptions,
  PasskeySignIn,
  PasskeySignInStart,
  PasskeyUpdate,
  RecoveryCodes,
  SecondFactor,
  SecondFactorAdded,
  SecondFactorSignIn,
  TotpConfirm,
  TotpSetup,
  WithProof,
} from "#contract/second-factor.ts";
import { Session } from "#contract/sessions.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { callerOf } from "../audit.ts";
import { originOf } from "../sessions/open.ts";
import { beginTotp, confirmTotp, removeTotp } from "./authenticator.ts";
import { renewRecoveryCodes } from "./changes.ts";
import { beginPasskey, createPasskey, removePasskey, updatePasskey } from "./passkeys.ts";
import { readSecondFactor } from "./read.ts";
import { beginPasskeySignIn, finishSignIn, signInWithPasskey } from "./sign-in.ts";

const IdParams = Type.Object({ id: Type.String() });
/** Answers with a secret, a code or a ticket. */
const notStored = { "cache-control": "no-store" } as const;

/** A person's own passkeys, authenticator app and recovery codes. Removing is a POST, because it takes a proof. */
export function secondFactorRoutes(app: App, context: Context): void {
  const own = { person: true, anyAccount: true, extension: true } as const;
  signInRoutes(app, context);

  app.get(
    "/account/second_factor",
    { config: own, schema: { querystring: NoQuery, response: { 200: SecondFactor } } },
    (request) => readSecondFactor(context.database.queries, actorOf(request)),
  );
  app.post(
    "/account/second_factor/totp",
    { config: own, schema: { body: WithProof, response: { 201: TotpSetup } } },
    async (request, reply) => {
      const setup = await beginTotp(context, callerOf(request, actorOf(request)), request.body);
      return reply.code(201).headers(notStored).send(setup);
    },
  );
  app.post(
    "/account/second_factor/totp/confirm",
    { config: own, schema: { body: TotpConfirm, response: { 201: SecondFactorAdded } } },
    async (request, reply) => {
      const added = await confirmTotp(context, callerOf(request, actorOf(request)), request.body.code);
      return reply.code(201).headers(notStored).send(added);
    },
  );
  app.post(
    "/account/second_factor/totp/remove",
    { config: own, schema: { body: WithProof, response: { 200: Deleted } } },
    async (request) => {
      const actor = actorOf(request);
      await removeTotp(context, callerOf(request, actor), request.body);
      return { id: actor.id, object: "totp", deleted: true as const };
    },
  );
  app.post(
    "/account/second_factor/recovery_codes",
    { config: own, schema: { body: WithProof, response: { 201: RecoveryCodes } } },
    async (request, reply) => {
      const codes = await renewRecoveryCodes(context, callerOf(request, actorOf(request)), request.body);
      return reply.code(201).headers(notStored).send(codes);
    },
  );
  app.post(
    "/account/passkeys/options",
    { config: own, schema: { body: WithProof, response: { 201: PasskeyOptions } } },
    async (request, reply) => {
      const options = await beginPasskey(context, callerOf(request, actorOf(request)), request.body);
      return reply.code(201).headers(notStored).send(options);
    },
  );
  app.post(
    "/account/passkeys",
    { config: own, schema: { body: PasskeyCreate, response: { 201: SecondFactorAdded } } },
    async (request, reply) => {
      const added = await createPasskey(context, callerOf(request, actorOf(request)), request.body);
      return reply.code(201).headers(notStored).send(added);
    },
  );
  app.patch(
    "/account/passkeys/:id",
    { config: own, schema: { params: IdParams, body: PasskeyUpdate, response: { 200: Passkey } } },
    (request) => updatePasskey(context, callerOf(request, actorOf(request)), request.params.id, request.body),
  );
  app.post(
    "/account/passkeys/:id/remove",
    { config: own, schema: { params: IdParams, body: WithProof, response: { 200: Deleted } } },
    async (request) => {
      const { id } = request.params;
      await removePasskey(context, callerOf(request, actorOf(request)), id, request.body);
      return { id, object: "passkey", deleted: true as const };
    },
  );
}

function signInRoutes(app: App, context: Context): void {
  const open = { public: true, anyAccount: true, extension: true } as const;

  app.post(
    "/account/sessions/passkey/options",
    { config: open, schema: { body: PasskeySignInStart, response: { 201: PasskeyOptions } } },
    async (request, reply) => {
      const { ticket } = request.body;
      const options = await beginPasskeySignIn(context, ticket, request.clientAddress);
      return reply.code(201).headers(notStored).send(options);
    },
  );
  app.post(
    "/account/sessions/passkey",
    { config: open, schema: { body: PasskeySignIn, response: { 201: Session } } },
    async (request, reply) => {
      const session = await signInWithPasskey(context, request.body, originOf(request));
      return reply.code(201).headers(notStored).send(session);
    },
  );
  app.post(
    "/account/sessions/second_factor",
    { config: open, schema: { body: SecondFactorSignIn, response: { 201: Session } } },
    async (request, reply) => {
      const session = await finishSignIn(context, request.body, originOf(request));
      return reply.code(201).headers(notStored).send(session);
    },
  );
}
