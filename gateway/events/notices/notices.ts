import { isId } from "#contract/ids.ts";
import {
  type Cause,
  canBeNotified,
  isNotifiedAsRole,
  noticeCauses,
  rulesOf,
} from "#contract/notice-constants.ts";
import {
  maxCountedUnread,
  type Notice,
  type NoticeList,
  type NoticePreferences,
  type NoticePreferencesUpdate,
  type NoticeQuery,
  type NoticesRead,
  type NoticesReadAll,
  noticeRoutes,
  operatorHookRoutes,
  operatorMailRoutes,
} from "#contract/notices.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import {
  and,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import {
  noticeHooks,
  noticeMessages,
  noticePreferences,
  notices,
  users,
} from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { mailSealer } from "#gateway/platform/outbox/outbox.ts";
import { describeNotice, messageWords, type NoticeTexts } from "./describe-notice.ts";
import { groupUnread, raiseOf } from "./group-unread.ts";
import { createHook, deleteHook, hookSealer, listHooks, updateHook } from "./hooks/hooks.ts";
import { testHook } from "./hooks/post.ts";
import { mailStatus, testMail } from "./mail/transport.ts";

/** Notices and their preferences, and the installation's e-mail. */
export function installNotices(app: App, context: EventsContext): void {
  serve(app, context, noticeRoutes, {
    "GET /notices": ({ caller, query }) => listNotices(context, caller.actor, query),
    "POST /notices/{id}/read": ({ caller, params }) => markRead(context, caller.actor, params.id),
    "POST /notices/read_all": ({ caller, body }) => markAllRead(context, caller.actor, body),
    "GET /notices/preferences": ({ caller }) => readPreferences(context, caller.actor),
    "PATCH /notices/preferences": ({ caller, body }) => updatePreferences(context, caller.actor, body),
    "GET /notices/hooks": ({ caller }) => listHooks(context, caller.actor.accountId),
    "POST /notices/hooks": (request) => {
      const caller = request.caller;
      return createHook(context, caller, caller.actor.accountId, request.body);
    },
    "PATCH /notices/hooks/{id}": (request) => {
      const caller = request.caller;
      return updateHook(context, caller, caller.actor.accountId, request.params.id, request.body);
    },
    "DELETE /notices/hooks/{id}": (request) => {
      const caller = request.caller;
      return deleteHook(context, caller, caller.actor.accountId, request.params.id);
    },
    "POST /notices/hooks/{id}/test": ({ caller, params }) =>
      testHook(context, caller.actor.accountId, params.id),
  });
  serve(app, context, operatorHookRoutes, {
    "GET /operator/notice_hooks": () => listHooks(context, null),
    "POST /operator/notice_hooks": (request) => createHook(context, request.caller, null, request.body),
    "PATCH /operator/notice_hooks/{id}": (request) =>
      updateHook(context, request.caller, null, request.params.id, request.body),
    "DELETE /operator/notice_hooks/{id}": (request) =>
      deleteHook(context, request.caller, null, request.params.id),
    "POST /operator/notice_hooks/{id}/test": (request) => testHook(context, null, request.params.id),
  });
  serve(app, context, operatorMailRoutes, {
    "GET /operator/mail": () => mailStatus(context),
    "POST /operator/mail/test": ({ caller, body }) => testMail(context, caller.actor, body),
  });
}

/** A page of the caller's notices, and the number of unread ones. Throws as `keyset`. */
async function listNotices(
  { database }: EventsContext,
  actor: Actor,
  query: NoticeQuery,
): Promise<NoticeList> {
  const { queries } = database;
  const t = await messageWords("causes", query.language ?? null);
  const unread = and(visibleTo(actor), isNull(notices.readAt));
  const page = keyset("notice", notices.id, query, [
    query.unread ? unread : visibleTo(actor),
    query.read ? isNotNull(notices.readAt) : undefined,
    query.cause && eq(notices.cause, query.cause),
  ]);
  const list = await readPage(queries, page, queries.select().from(notices).$dynamic(), (rows) =>
    rows.map((row) => noticeView(row, t)),
  );
  const counted = await queries
    .select({ id: notices.id })
    .from(notices)
    .where(unread)
    .limit(maxCountedUnread);
  const groups = query.grouped ? await groupUnread(queries, unread, t) : null;
  return {
    ...list,
    unread: counted.length,
    ...(groups && { groups: groups.map(({ among: _, ...group }) => group) }),
  };
}

/** Marks one notice as read; one that is already read stays unchanged. Throws `notice_not_found`. */
async function markRead({ database }: EventsContext, actor: Actor, id: string): Promise<Notice> {
  const [row] = await database.queries
    .update(notices)
    .set({ readAt: sql`coalesce(${notices.readAt}, now())` })
    .where(and(visibleTo(actor), eq(notices.id, id)))
    .returning();
  if (!row) throw new ApiError("notice_not_found", "There is no such notice.");
  return noticeView(row, await messageWords("causes", null));
}

/** Marks all notices as read, or those of one group, up to the newest that the caller has seen. Throws `invalid_cursor`. */
async function markAllRead(
  { database }: EventsContext,
  actor: Actor,
  { up_to: upTo, group }: NoticesReadAll,
): Promise<NoticesRead> {
  if (upTo !== undefined && !isId("notice", upTo))
    throw new ApiError("invalid_cursor", "up_to must be the id of a notice.", { param: "up_to" });
  const shown = and(
    visibleTo(actor),
    isNull(notices.readAt),
    upTo === undefined ? undefined : lte(notices.id, upTo),
  );
  const groups =
    group === undefined
      ? null
      : await groupUnread(database.queries, shown, await messageWords("causes", null));
  const among = groups?.find(({ key }) => key === group)?.among ?? sql`false`;
  const { rowCount } = await database.queries
    .update(notices)
    .set({ readAt: clock.date() })
    .where(groups ? and(shown, among) : shown);
  return { object: "notices_read", read: rowCount ?? 0 };
}

/** The caller's preferences for each cause that they can be notified about in this account. */
async function readPreferences(
  { database, config }: EventsContext,
  actor: Actor,
): Promise<NoticePreferences> {
  const [found] = await database.queries
    .select({ email: users.email, choices: noticePreferences.choices })
    .from(users)
    .leftJoin(noticePreferences, eq(noticePreferences.userId, users.id))
    .where(eq(users.id, actor.id));
  if (!found) throw new ApiError("invalid_api_key", "This user no longer exists.");
  return {
    object: "notice_preferences",
    data: audible(actor).map((cause) => {
      const chosen = found.choices?.[cause];
      const { console, email } = chosen ?? rulesOf(cause);
      return { cause, console, email, is_default: chosen === undefined };
    }),
    email: { address: found.email, available: config.smtp !== null },
  };
}

/**
 * Saves preferences; those of other causes stay. Throws `invalid_parameter` for a cause that the caller is
 * never notified about.
 */
async function updatePreferences(
  context: EventsContext,
  actor: Actor,
  { choices }: NoticePreferencesUpdate,
): Promise<NoticePreferences> {
  const known = new Set<string>(audible(actor));
  const unknown = Object.keys(choices).find((cause) => !known.has(cause));
  if (unknown !== undefined)
    throw invalidParameter("choices", `Your role does not get notices about ${unknown}.`);
  await context.database.queries
    .insert(noticePreferences)
    .values({ userId: actor.id, choices })
    .onConflictDoUpdate({
      target: noticePreferences.userId,
      set: { choices: sql`${noticePreferences.choices} || excluded.choices` },
    });
  return readPreferences(context, actor);
}

function audible({ role, isOperator }: Actor): Cause[] {
  return noticeCauses.filter((cause) => canBeNotified(cause, role, isOperator));
}

/**
 * The notices that the caller may see now. A person sees their own in the request's account, and those about
 * the installation and about themselves; a service key sees the account's. Notices that the caller's current
 * role may not see are left out.
 */
function visibleTo({ accountId, userId, role, isOperator }: Actor): SQL | undefined {
  // A later release that runs beside this one may write causes that this one cannot describe.
  const describable = inArray(notices.cause, noticeCauses);
  if (userId === null) return and(eq(notices.recipient, accountId), describable);
  const known = noticeCauses.filter((cause) => isNotifiedAsRole(cause, role, isOperator));
  return and(
    eq(notices.recipient, userId),
    eq(notices.isHidden, false),
    or(eq(notices.accountId, accountId), isNull(notices.accountId)),
    or(and(eq(notices.isPersonal, true), describable), inArray(notices.cause, known)),
  );
}

type NoticeRow = typeof notices.$inferSelect;

function noticeView(row: NoticeRow, t: NoticeTexts): Notice {
  const { id, cause, count, subjectId, accountId, emailError } = row;
  return {
    id,
    object: "notice",
    cause,
    ...describeNotice(row, t),
    count,
    subject_id: subjectId,
    account_id: accountId,
    created_at: row.createdAt.toISOString(),
    last_at: row.lastAt.toISOString(),
    read_at: row.readAt?.toISOString() ?? null,
    email_error: emailError,
    raise: raiseOf(row),
  };
}

const daySeconds = 86_400;
const batchSize = 100;

/**
 * Deletes causes at the same age as notices. Until then the key of a one-time cause prevents a second notice.
 */
export const noticeCauseSweep = rowSweep({
  kind: "notice_causes",
  table: "notice_causes",
  dueAt: "created_at",
  afterSeconds: 90 * daySeconds,
});

export const noticeSweep = rowSweep({
  kind: "notices",
  table: "notices",
  dueAt: "created_at",
  afterSeconds: 90 * daySeconds,
});

export const noticeMessageSweep = rowSweep({
  kind: "notice_messages",
  table: "notice_messages",
  dueAt: "created_at",
  afterSeconds: 30 * daySeconds,
});

/** While AUTH_SECRET is being replaced: reseals hook URLs and unsent links with the new one. */
export const noticeSealSweep: Sweep = {
  kind: "notice_seals",
  async run({ config, database }) {
    if (!config.previousSecret) return false;
    const [hookSeal, mailSeal] = [hookSealer(config), mailSealer(config)];
    return database.transaction(async (queries) => {
      const hooks = await queries
        .select()
        .from(noticeHooks)
        .where(ne(noticeHooks.keyId, hookSeal.keyId))
        .limit(batchSize)
        .for("update", { skipLocked: true });
      for (const row of hooks)
        await queries
          .update(noticeHooks)
          .set(hookSeal.seal(hookSeal.open(row, row.id), row.id))
          .where(eq(noticeHooks.id, row.id));
      const mails = await queries
        .select()
        .from(noticeMessages)
        .where(and(eq(noticeMessages.status, "pending"), ne(noticeMessages.keyId, mailSeal.keyId)))
        .limit(batchSize)
        .for("update", { skipLocked: true });
      for (const { id, keyId, ciphertext } of mails)
        if (keyId !== null && ciphertext !== null)
          await queries
            .update(noticeMessages)
            .set(mailSeal.seal(mailSeal.open({ keyId, ciphertext }, id), id))
            .where(eq(noticeMessages.id, id));
      return hooks.length === batchSize || mails.length === batchSize;
    });
  },
  oldestDue: () => null,
};
