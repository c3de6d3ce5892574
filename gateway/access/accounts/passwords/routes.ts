import { passwordRoutes } from "#contract/routes/sign-in.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { callerOf } from "../audit.ts";
import { originOf } from "../sessions/open.ts";
import { acceptReset, previewReset } from "./accept-reset.ts";
import { changePassword } from "./change.ts";
import { forgetPassword } from "./forgotten.ts";

export function installPasswords(app: App, context: Context): void {
  serve(app, passwordRoutes, {
    "POST /account/password": (request) =>
      changePassword(context, callerOf(request, actorOf(request)), request.body),
    "POST /account/password/forgotten": (request) =>
      forgetPassword(context, request.body, request.clientAddress),
    "POST /account/password/reset/lookup": (request) =>
      previewReset(context, request.body.token, request.clientAddress),
    "POST /account/password/reset": (request) => acceptReset(context, request.body, originOf(request)),
  });
}
