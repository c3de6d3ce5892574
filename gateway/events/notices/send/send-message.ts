import { writeReset } from "#gateway/access/accounts/passwords/resets.ts";
import type { BaseContext } from "#gateway/context.ts";
import {
  and,
  count,
  eq,
  gte,
  inArray,
  isNotNull,
  lte,
  notInArray,
  or,
} from "#gateway/platform/database/drizzle.ts";
import {
  accounts,
  members,
  noticeCauses,
  noticeHooks,
  type noticeMessages,
  users,
  webhookEndpoints,
} from "#gateway/platform/database/schema.ts";
import type { MessageItem } from "#gateway/platform/database/tables/notices.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/unavailable.ts";
import { mailSealer } from "#gateway/platform/outbox/queue-mail.ts";
import { hookSealer, ownerOf } from "../hooks/hooks.ts";
import { HookError, type HookPoster } from "../hooks/post.ts";
import { hookBody } from "../hooks/templates.ts";
import { type Letter, linkLetter, noticeLetter, writeLetter } from "../mail/compose.ts";
import { MailError, type MailTransport } from "../mail/transport.ts";
import { pageUrls } from "../page-url.ts";

export type MessageRow = typeof noticeMessages.$inferSelect;

export interface Ways {
  /** Null: the installation sends no e-mail. */
  mail: MailTransport | null;
  hooks: HookPoster;
}

/** `dropped`: the message no longer has a recipient. */
export type SendOutcome =
  | { result: "sent" }
  | { result: "dropped" }
  | { result: "failed"; error: string; isFinal: boolean; retryAfterMs?: number };

/**
 * Sends a message once. Throws only while the database is unavailable; our own errors are retried like any
 * other failure.
 */
export async function sendMessage(
  context: BaseContext,
  ways: Ways,
  message: MessageRow,
): Promise<SendOutcome> {
  try {
    const items = await withoutRecovered(context, message.items);
    const more = message.more - (await recoveredBeyond(context, message));
    if (items.length === 0 && message.items.length > 0 && more === 0) return { result: "dropped" };
    const current = { ...message, items, more };
    const isSent = message.hookId
      ? await postToHook(context, ways, current, message.hookId)
      : await sendMail(context, ways, current);
    return isSent ? { result: "sent" } : { result: "dropped" };
  } catch (error) {
    if (error instanceof HookError)
      return {
        result: "failed",
        error: error.message,
        isFinal: error.isFinal,
        retryAfterMs: error.retryAfterMs,
      };
    if (error instanceof MailError) return { result: "failed", error: error.message, isFinal: error.isFinal };
    if (isDatabaseUnavailable(error)) throw error;
    context.log.error({ err: error, message: message.id }, "notices: a message could not be written");
    return { result: "failed", error: "The message could not be written: see the log", isFinal: false };
  }
}

const worksAgain = or(isNotNull(webhookEndpoints.deletedAt), eq(webhookEndpoints.consecutiveFailures, 0));

/**
 * Leaves out endpoints that recovered while the message was gathered: neither their failure nor their
 * recovery is reported.
 */
async function withoutRecovered(
  { database }: BaseContext,
  items: readonly MessageItem[],
): Promise<MessageItem[]> {
  const failing = new Set(
    items.flatMap(({ cause, subjectId }) => (cause === "endpoint.failing" && subjectId) || []),
  );
  if (failing.size === 0) return [...items];
  const rows = await database.queries
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(inArray(webhookEndpoints.id, [...failing]), worksAgain));
  const isOver = new Set(rows.map(({ id }) => id));
  return items.filter(({ cause, subjectId }) => {
    const id = subjectId ?? "";
    if (cause === "endpoint.failing") return !isOver.has(id);
    return cause !== "endpoint.recovered" || !failing.has(id);
  });
}

/** How many of the endpoints that a message only counts have recovered. */
async function recoveredBeyond(
  { database }: BaseContext,
  { accountId, causes, items, more, createdAt, dueAt }: MessageRow,
): Promise<number> {
  if (more === 0 || accountId === null || !causes.includes("endpoint.failing")) return 0;
  const listed = items.flatMap(({ cause, subjectId }) => (cause === "endpoint.failing" && subjectId) || []);
  const [row] = await database.queries
    .select({ recovered: count() })
    .from(noticeCauses)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, noticeCauses.subjectId))
    .where(
      and(
        eq(noticeCauses.accountId, accountId),
        eq(noticeCauses.cause, "endpoint.failing"),
        gte(noticeCauses.spreadAt, createdAt),
        lte(noticeCauses.spreadAt, dueAt),
        notInArray(webhookEndpoints.id, listed),
        worksAgain,
      ),
    );
  return Math.min(more, row?.recovered ?? 0);
}

async function postToHook(
  context: BaseContext,
  { hooks }: Ways,
  message: MessageRow,
  hookId: string,
): Promise<boolean> {
  const { queries } = context.database;
  const [hook] = await queries.select().from(noticeHooks).where(eq(noticeHooks.id, hookId));
  if (!hook) return false;
  const body = hookBody(
    hook.template,
    {
      id: message.id,
      ...(await ownerOf(context, hook)),
      createdAt: message.createdAt,
      items: message.items,
      more: message.more,
      causes: message.causes,
    },
    pageUrls(context.config),
  );
  await hooks.post(hookSealer(context.config).open(hook, hook.id), message.id, body);
  return true;
}

async function sendMail(context: BaseContext, { mail }: Ways, message: MessageRow): Promise<boolean> {
  const addressed = await addressOf(context, message);
  if (!addressed) return false;
  const letter = await letterOf(context, message);
  if (!letter) return false;
  if (!mail) throw new MailError("SMTP_HOST is no longer set", true);
  await mail.send({ id: message.id, to: addressed, ...writeLetter(letter) });
  return true;
}

/** The recipient's e-mail address; null if they were deleted or left the account. */
async function addressOf({ database }: BaseContext, message: MessageRow): Promise<string | null> {
  if (message.address !== null) return message.address;
  if (message.userId === null) return null;
  const { queries } = database;
  const [user] = await queries.select({ email: users.email }).from(users).where(eq(users.id, message.userId));
  if (!user || message.accountId === null) return user?.email ?? null;
  const [member] = await queries
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.accountId, message.accountId), eq(members.userId, message.userId)));
  return member ? user.email : null;
}

async function letterOf(context: BaseContext, message: MessageRow): Promise<Letter | null> {
  const { kind, accountId, data } = message;
  switch (kind) {
    case "notices":
      return noticeLetter(message, {
        accountId,
        accountName: await nameOf(context, accountId),
        pageUrl: pageUrls(context.config),
      });
    case "reset_request":
      return resetLetter(context, message);
    default:
      return linkLetter(kind, data, openLink(context, message));
  }
}

function openLink({ config }: BaseContext, { id, keyId, ciphertext }: MessageRow): string | null {
  return keyId === null || ciphertext === null ? null : mailSealer(config).open({ keyId, ciphertext }, id);
}

/**
 * The link is created only here, not when it is requested, so that the sign-in page answers equally fast
 * whether or not a user has the address.
 */
async function resetLetter(context: BaseContext, message: MessageRow): Promise<Letter | null> {
  const email = message.address ?? "";
  return context.database.transaction(async (queries) => {
    const [user] = await queries
      .select({ id: users.id, passwordHash: users.passwordHash })
      .from(users)
      .where(eq(users.email, email));
    // A person who signs in only through the identity provider has no password to reset.
    if (!user?.passwordHash) return null;
    const reset = await writeReset(queries, context.config, user.id, null);
    return linkLetter("password_reset", { email, expires_at: reset.expires_at }, reset.url);
  });
}

async function nameOf({ database }: BaseContext, accountId: string | null): Promise<string | null> {
  if (accountId === null) return null;
  const [account] = await database.queries
    .select({ name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return account?.name ?? null;
}
