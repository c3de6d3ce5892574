import { maxHooks } from "#contract/notice-constants.ts";
import { noticeRoutes, operatorMailRoutes } from "#contract/routes/notices.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { serve } from "#gateway/http/serve.ts";
import { createHook, deleteHook, listHooks, updateHook } from "./hooks/change.ts";
import { testHook } from "./hooks/test-hook.ts";
import { listNotices } from "./list.ts";
import { mailStatus } from "./mail/status.ts";
import { testMail } from "./mail/test-mail.ts";
import { markAllRead, markRead } from "./mark-read.ts";
import { readPreferences, updatePreferences } from "./preferences.ts";

/** What people hear of and how, and the e-mail of the installation. */
export function installNotices(app: App, context: Context): void {
  serve(app, noticeRoutes, {
    "GET /notices": (request) => listNotices(context, actorOf(request), request.query),
    "POST /notices/{id}/read": (request) => markRead(context, actorOf(request), request.params.id),
    "POST /notices/read_all": (request) => markAllRead(context, actorOf(request), request.body),
    "GET /notices/preferences": (request) => readPreferences(context, actorOf(request)),
    "PATCH /notices/preferences": (request) => updatePreferences(context, actorOf(request), request.body),
    "GET /notices/hooks": async (request) => {
      const data = await listHooks(context, actorOf(request).accountId);
      return {
        object: "list" as const,
        data,
        has_more: false,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        limit: maxHooks,
      };
    },
    "POST /notices/hooks": (request) =>
      createHook(context, callerOf(request, actorOf(request)), request.body),
    "PATCH /notices/hooks/{id}": (request) =>
      updateHook(context, callerOf(request, actorOf(request)), request.params.id, request.body),
    "DELETE /notices/hooks/{id}": (request) =>
      deleteHook(context, callerOf(request, actorOf(request)), request.params.id),
    "POST /notices/hooks/{id}/test": (request) =>
      testHook(context, callerOf(request, actorOf(request)), request.params.id),
  });
  serve(app, operatorMailRoutes, {
    "GET /operator/mail": () => mailStatus(context),
    "POST /operator/mail/test": (request) => testMail(context, actorOf(request), request.body),
  });
}
