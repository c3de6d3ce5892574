import { noticeRoutes, operatorHookRoutes, operatorMailRoutes } from "#contract/routes/notices.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
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
    "GET /notices/hooks": (request) => listHooks(context, actorOf(request).accountId),
    "POST /notices/hooks": (request) => {
      const caller = callerOf(request, actorOf(request));
      return createHook(context, caller, caller.actor.accountId, request.body);
    },
    "PATCH /notices/hooks/{id}": (request) => {
      const caller = callerOf(request, actorOf(request));
      return updateHook(context, caller, caller.actor.accountId, request.params.id, request.body);
    },
    "DELETE /notices/hooks/{id}": (request) => {
      const caller = callerOf(request, actorOf(request));
      return deleteHook(context, caller, caller.actor.accountId, request.params.id);
    },
    "POST /notices/hooks/{id}/test": (request) =>
      testHook(context, actorOf(request).accountId, request.params.id),
  });
  serve(app, operatorHookRoutes, {
    "GET /operator/notice_hooks": () => listHooks(context, null),
    "POST /operator/notice_hooks": (request) =>
      createHook(context, callerOf(request, actorOf(request)), null, request.body),
    "PATCH /operator/notice_hooks/{id}": (request) =>
      updateHook(context, callerOf(request, actorOf(request)), null, request.params.id, request.body),
    "DELETE /operator/notice_hooks/{id}": (request) =>
      deleteHook(context, callerOf(request, actorOf(request)), null, request.params.id),
    "POST /operator/notice_hooks/{id}/test": (request) => testHook(context, null, request.params.id),
  });
  serve(app, operatorMailRoutes, {
    "GET /operator/mail": () => mailStatus(context),
    "POST /operator/mail/test": (request) => testMail(context, actorOf(request), request.body),
  });
}
