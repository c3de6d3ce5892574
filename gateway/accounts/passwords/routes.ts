import { LinkLookup } from "#contract/invitations.ts";
import {
  PasswordChange,
  PasswordChanged,
  PasswordResetAccept,
  PasswordResetDone,
  PasswordResetPreview,
} from "#contract/passwords.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { callerOf } from "../audit.ts";
import { originOf } from "../sessions/open.ts";
import { acceptReset, previewReset } from "./accept-reset.ts";
import { changePassword } from "./change.ts";

export function passwordRoutes(app: App, context: Context): void {
  app.post(
    "/account/password",
    {
      config: { person: true, anyAccount: true, extension: true },
      schema: { body: PasswordChange, response: { 200: PasswordChanged } },
    },
    (request) => changePassword(context, callerOf(request, actorOf(request)), request.body),
  );
  app.post(
    "/account/password/reset/lookup",
    {
      config: { public: true, extension: true },
      schema: { body: LinkLookup, response: { 200: PasswordResetPreview } },
    },
    (request) => previewReset(context, request.body.token, request.clientAddress),
  );
  app.post(
    "/account/password/reset",
    {
      config: { public: true, extension: true },
      schema: { body: PasswordResetAccept, response: { 200: PasswordResetDone } },
    },
    (request) => acceptReset(context, request.body, originOf(request)),
  );
}
