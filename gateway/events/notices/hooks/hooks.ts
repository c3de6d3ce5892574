import { newId } from "#contract/ids.ts";
import { type Deleted, deleted } from "#contract/list.ts";
import { type Cause, hookCauses, maxHooks, operatorHookCauses, rulesOf } from "#contract/notice-constants.ts";
import type { NoticeHook, NoticeHookCreate, NoticeHookList, NoticeHookUpdate } from "#contract/notices.ts";
import { audited, type Change } from "#gateway/access/accounts/audit.ts";
import { accountName, languageOf } from "#gateway/access/accounts/people.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, noticeHooks } from "#gateway/platform/database/schema.ts";
import { checkUrl } from "#gateway/platform/network/address-guard.ts";
import { messageWords } from "../describe-notice.ts";
import type { HookMessage, HookTexts } from "./templates.ts";

/** The owner of hooks: an account; null: the operators. */
export type HookOwner = string | null;

/** Serialises additions by operators, so that each is counted. */
const operatorsLock = 7_274_117;

/** The default causes of a hook: those that people get by e-mail unless they choose otherwise. */
function defaultCauses(owner: HookOwner): Cause[] {
  return (owner === null ? operatorHookCauses : hookCauses).filter((cause) => rulesOf(cause).email);
}

export async function listHooks({ database }: EventsContext, owner: HookOwner): Promise<NoticeHookList> {
  const rows = await database.queries
    .select()
    .from(noticeHooks)
    .where(isOf(owner))
    .orderBy(asc(noticeHooks.id));
  const data = rows.map(hookView);
  return {
    object: "list",
    data,
    has_more: false,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    limit: maxHooks,
  };
}

/** Adds a hook. Throws `invalid_webhook_url` and `too_many_notice_hooks`. */
export async function createHook(
  { database, config }: EventsContext,
  caller: Caller,
  owner: HookOwner,
  input: NoticeHookCreate,
): Promise<NoticeHook> {
  const url = checkedHookUrl(config, input.url);
  return audited({ database }, caller, "notice_hook.created", async (queries) => {
    await assertRoom(queries, owner);
    const id = newId("noticeHook");
    const [row] = await queries
      .insert(noticeHooks)
      .values({
        id,
        accountId: owner,
        name: input.name.trim(),
        template: input.template,
        causes: (input.causes ?? defaultCauses(owner)) as Cause[],
        hint: hookHint(url),
        createdBy: caller.actor.id,
        ...hookSealer(config).seal(url, id),
      })
      .returning();
    return changed(row, hookView);
  });
}

/**
 * Changes a hook; a new URL clears the last error. Throws `notice_hook_not_found` and `invalid_webhook_url`.
 */
export async function updateHook(
  { database, config }: EventsContext,
  caller: Caller,
  owner: HookOwner,
  id: string,
  input: NoticeHookUpdate,
): Promise<NoticeHook> {
  const url = input.url === undefined ? undefined : checkedHookUrl(config, input.url);
  return audited({ database }, caller, "notice_hook.updated", async (queries) => {
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
      .where(isOwn(owner, id))
      .returning();
    return changed(row, hookView);
  });
}

/** Deletes a hook together with its unsent messages. Throws `notice_hook_not_found`. */
export function deleteHook(
  { database }: EventsContext,
  caller: Caller,
  owner: HookOwner,
  id: string,
): Promise<Deleted> {
  return audited({ database }, caller, "notice_hook.deleted", async (queries) => {
    const [row] = await queries.delete(noticeHooks).where(isOwn(owner, id)).returning();
    return changed(row, () => deleted("notice_hook", id));
  });
}

/** Throws `notice_hook_not_found`. */
export async function findHook({ database }: EventsContext, owner: HookOwner, id: string): Promise<HookRow> {
  const [row] = await database.queries.select().from(noticeHooks).where(isOwn(owner, id));
  if (!row) throw notFound();
  return row;
}

/** Matches the hooks of this owner. */
export function isOf(owner: HookOwner) {
  return owner === null ? isNull(noticeHooks.accountId) : eq(noticeHooks.accountId, owner);
}

function isOwn(owner: HookOwner, id: string) {
  return and(eq(noticeHooks.id, id), isOf(owner));
}

async function assertRoom(queries: Queries, owner: HookOwner): Promise<void> {
  // Serialises additions, so that each is counted.
  await (owner === null
    ? queries.execute(sql`select pg_advisory_xact_lock(${operatorsLock})`)
    : queries.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, owner)).for("update"));
  if ((await queries.$count(noticeHooks, isOf(owner))) >= maxHooks)
    throw new ApiError(
      "too_many_notice_hooks",
      `There can be at most ${maxHooks} incoming webhooks. Delete one first.`,
    );
}

/** Throws `notice_hook_not_found`. */
function changed<Result>(row: HookRow | undefined, resultOf: (row: HookRow) => Result): Change<Result> {
  if (!row) throw notFound();
  const { id, name, template, hint, causes } = row;
  return { target: id, detail: { name, template, url: hint, causes }, result: resultOf(row) };
}

function notFound(): ApiError {
  return new ApiError("notice_hook_not_found", "There is no such incoming webhook.");
}

/**
 * A hook's URL in stored form. Throws `invalid_webhook_url` if it can never be public; the message does not
 * repeat the URL.
 */
function checkedHookUrl({ webhooks }: Config, text: string): string {
  const checked = checkUrl(text, webhooks);
  if (checked.ok) return checked.url.href;
  throw new ApiError("invalid_webhook_url", `This URL ${checked.reason}. Use a public HTTPS address.`, {
    param: "url",
  });
}

type HookRow = typeof noticeHooks.$inferSelect;

function hookView(row: HookRow): NoticeHook {
  return {
    id: row.id,
    object: "notice_hook",
    name: row.name,
    template: row.template,
    causes: row.causes,
    url_hint: row.hint,
    last_sent_at: row.lastSentAt?.toISOString() ?? null,
    last_error: row.lastError,
    last_error_at: row.lastErrorAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

/** The name of a hook's owner for its readers: the account's, or the installation's host. */
export async function ownerOf(
  { database, config }: Pick<EventsContext, "database" | "config">,
  { accountId }: Pick<HookRow, "accountId">,
): Promise<Pick<HookMessage, "accountId" | "ownerName">> {
  if (accountId === null) return { accountId, ownerName: new URL(config.consoleUrl).host };
  return { accountId, ownerName: (await accountName(database.queries, accountId)) ?? "" };
}

/** The words of a hook: in the language of who made it. Programs read English. */
export async function textsOf(
  { database }: Pick<EventsContext, "database">,
  { template, createdBy }: Pick<HookRow, "template" | "createdBy">,
): Promise<HookTexts> {
  const language = template === "json" ? null : await languageOf(database.queries, createdBy);
  return { notices: await messageWords("causes", language), mail: await messageWords("mail", language) };
}

const shownCharacters = 4;

/**
 * Seals the URLs of hooks, because anybody who knows a URL can post to it. Each sealed URL can be opened only
 * for its hook.
 */
export function hookSealer(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse notice hooks");
}

/** The part of a URL that may be shown. */
function hookHint(url: string): string {
  return `${new URL(url).host}/…${url.slice(-shownCharacters)}`;
}
