import { emailRoutes } from "#contract/routes/sign-in.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { callerOf } from "../audit.ts";
import { originOf } from "../sessions/open.ts";
import { startEmailChange } from "./change.ts";
import { confirmEmailChange, previewEmailChange } from "./confirm.ts";

/** How people change their own address. */
export function installEmailChange(app: App, context: Context): void {
  serve(app, emailRoutes, {
    "POST /account/email": (request) =>
      startEmailChange(context, callerOf(request, actorOf(request)), request.body),
    "POST /account/email/lookup": (request) =>
      previewEmailChange(context, request.body.token, request.clientAddress),
    "POST /account/email/confirm": (request) =>
      confirmEmailChange(context, request.body.token, originOf(request)),
  });
}
