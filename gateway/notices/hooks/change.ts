import type { AuditAction } from "#contract/audit.ts";
import { newId } from "#contract/ids.ts";
import type { Deleted } from "#contract/list.ts";
import { type Cause, hookCauses, maxHooks, rulesOf } from "#contract/notice-constants.ts";
import type { NoticeHook, NoticeHookCreate, NoticeHookUpdate } from "#contract/notices.ts";
import { type Caller, recordAudit } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Queries } from "#gateway/database/database.ts";
import { and, asc, count, eq } from "#gateway/database/drizzle.ts";
import { accounts, noticeHooks } from "#gateway/database/schema.ts";
import { checkedHookUrl } from "./check-url.ts";
import { hookHint, hookSealer } from "./seal.ts";
import { type HookRow, hookView } from "./view.ts";

/** What a hook gets unless it says otherwise: what people get by e-mail. */
const defaultCauses = hookCauses.filter((cause) => rulesOf(cause).email);

export async function listHooks({ database }: Context, accountId: string): Promise<NoticeHook[]> {
  const rows = await database.queries
    .select()
    .from(noticeHooks)
    .where(eq(noticeHooks.accountId, accountId))
    .orderBy(asc(noticeHooks.id));
  return rows.map(hookView);
}

/** Adds a hook. Throws `invalid_webhook_url` and `too_many_notice_hooks`. */
export async function createHook(
  { database, config }: Context,
  caller: Caller,
  input: NoticeHookCreate,
): Promise<NoticeHook> {
  const { accountId } = caller.actor;
  const url = checkedHookUrl(config, input.url);
  return database.transaction(async (queries) => {
    await assertRoom(queries, accountId);
    const id = newId("noticeHook");
    const [row] = await queries
      .insert(noticeHooks)
      .values({
        id,
        accountId,
        name: input.name.trim(),
        template: input.template,
        causes: (input.causes ?? defaultCauses) as Cause[],
        hint: hookHint(url),
        createdBy: caller.actor.id,
        ...hookSealer(config).seal(url, id),
      })
      .returning();
    return saved(queries, caller, "notice_hook.created", row);
  });
}

/** Changes a hook; with a new URL its last error is forgotten. Throws `notice_hook_not_found` and `invalid_webhook_url`. */
export async function updateHook(
  { database, config }: Context,
  caller: Caller,
  id: string,
  input: NoticeHookUpdate,
): Promise<NoticeHook> {
  const url = input.url === undefined ? undefined : checkedHookUrl(config, input.url);
  return database.transaction(async (queries) => {
    const [row] = await queries
      .update(noticeHooks)
      .set({
        ...(input.name !== undefined && { name: input.name.trim() }),
        ...(input.template && { template: input.template }),
        ...(input.causes && { causes: input.causes as Cause[] }),
        ...(url !== undefined && {
          hint: hookHint(url),
          lastError: null,
          lastErrorAt: null,
          ...hookSealer(config).seal(url, id),
        }),
      })
      .where(isOwn(caller, id))
      .returning();
    return saved(queries, caller, "notice_hook.updated", row);
  });
}

/** Throws `notice_hook_not_found`. What waits to be sent to it goes with it. */
export async function deleteHook({ database }: Context, caller: Caller, id: string): Promise<Deleted> {
  await database.transaction(async (queries) => {
    const [row] = await queries.delete(noticeHooks).where(isOwn(caller, id)).returning();
    await saved(queries, caller, "notice_hook.deleted", row);
  });
  return { id, object: "notice_hook", deleted: true };
}

/** Throws `notice_hook_not_found`. */
export async function findHook({ database }: Context, caller: Caller, id: string): Promise<HookRow> {
  const [row] = await database.queries.select().from(noticeHooks).where(isOwn(caller, id));
  if (!row) throw notFound();
  return row;
}

function isOwn({ actor }: Caller, id: string) {
  return and(eq(noticeHooks.id, id), eq(noticeHooks.accountId, actor.accountId));
}

async function assertRoom(queries: Queries, accountId: string): Promise<void> {
  // Two that are added at once count each other.
  await queries.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("update");
  const [own] = await queries
    .select({ count: count() })
    .from(noticeHooks)
    .where(eq(noticeHooks.accountId, accountId));
  if ((own?.count ?? 0) >= maxHooks)
    throw new ApiError(
      "too_many_notice_hooks",
      `An account has ${maxHooks} incoming webhooks at most. Delete one first.`,
    );
}

async function saved(
  queries: Queries,
  { actor, ip, requestId }: Caller,
  action: Extract<AuditAction, `notice_hook.${string}`>,
  row: HookRow | undefined,
): Promise<NoticeHook> {
  if (!row) throw notFound();
  const { id, name, template, hint, causes } = row;
  await recordAudit(queries, {
    accountId: actor.accountId,
    actor,
    action,
    targetId: id,
    detail: { name, template, url: hint, causes },
    ip,
    requestId,
  });
  return hookView(row);
}

function notFound(): ApiError {
  return new ApiError("notice_hook_not_found", "There is no such incoming webhook.");
}
