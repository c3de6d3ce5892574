import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import tls from "node:tls";
import { newId } from "#contract/ids.ts";
import type { MailStatus, MailTest, TestResult } from "#contract/notices.ts";
import { newEmail } from "#gateway/access/accounts/account.ts";
import { languageOf } from "#gateway/access/accounts/people.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { SmtpConfig } from "#gateway/platform/core/config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, desc, eq, inArray, isNotNull, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import { noticeMessages, users } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { assertMayLeave } from "#gateway/platform/network/quiet.ts";
import { messageWords } from "../describe-notice.ts";
import { pageUrls, writeLetter } from "./compose.ts";

const connectMs = 10_000;

const answerMs = 20_000;

const connections = 2;

/** A connection is closed after this many messages, because servers limit them. */
const messagesPerConnection = 100;

const longestError = 300;

/** An e-mail with a text and an HTML part. */
export interface Mail {
  /** Every try to send a message has the same id, so that a mailbox can show duplicates as one. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface MailTransport {
  /** Resolves once the server has accepted it. Throws `MailError`. */
  send(mail: Mail): Promise<void>;
  /** Resolves once the server has let us sign in; sends nothing. Throws `MailError`. */
  verify(): Promise<void>;
  close(): void;
}

/** Why the server did not accept an e-mail. `isFinal`: retrying is useless. */
export class MailError extends Error {
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** Sends e-mails to the configured server, over a few kept-alive connections. */
export async function openMailTransport(smtp: SmtpConfig): Promise<MailTransport> {
  const { default: nodemailer } = await import("nodemailer");
  const { host, port, security, user, password, from, caFile } = smtp;
  const transport = nodemailer.createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(user !== null && password !== null && { auth: { user, pass: password } }),
    tls: {
      ...(isIP(host) === 0 && { servername: host }),
      ...(caFile && { ca: [...tls.getCACertificates("default"), readFileSync(caFile, "utf8")] }),
    },
    pool: true,
    maxConnections: connections,
    maxMessages: messagesPerConnection,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
    // We write the messages ourselves, and they never refer to a file or URL to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = domainOf(from);
  return {
    async send({ id, to, subject, text, html }) {
      assertMayLeave();
      try {
        await transport.sendMail({
          from,
          // An object, so that a list of addresses in one string counts as a single address.
          to: { name: "", address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${domain}>`,
          headers: { "auto-submitted": "auto-generated", "x-auto-response-suppress": "All" },
        });
      } catch (error) {
        throw mailErrorOf(error, password);
      }
    },
    async verify() {
      assertMayLeave();
      try {
        await transport.verify();
      } catch (error) {
        throw mailErrorOf(error, password);
      }
    },
    close: () => transport.close(),
  };
}

function domainOf(from: string): string {
  return /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? "localhost";
}

function mailErrorOf(error: unknown, password: string | null): MailError {
  const { message, responseCode, code } = error as Error & { responseCode?: number; code?: string };
  const said = password === null ? message : message.replaceAll(password, "…");
  // The operator can fix a wrong password, so that failure is retried; an address that the server refuses
  // stays wrong.
  const isFinal = code !== "EAUTH" && responseCode !== undefined && responseCode >= 500;
  return new MailError(said.replace(/\s+/g, " ").slice(0, longestError), isFinal);
}

const unsentShown = 20;

/** Whether e-mail is set up and works, and which messages could not be sent. */
export async function mailStatus({ config, database }: EventsContext): Promise<MailStatus> {
  const { smtp } = config;
  const { rows } = await database.queries.execute<{
    waiting: number;
    sent: number;
    failed: number;
    last: Date | string | null;
  }>(sql`
    select count(*) filter (where status in ('pending', 'gathering'))::int as waiting,
      count(*) filter (where status = 'sent' and created_at > now() - interval '24 hours')::int as sent,
      count(*) filter (where status = 'failed' and created_at > now() - interval '24 hours')::int as failed,
      max(sent_at) as last
    from notice_messages where hook_id is null`);
  const [sums] = rows;
  const unsent = await database.queries
    .select()
    .from(noticeMessages)
    .where(
      and(
        isNull(noticeMessages.hookId),
        inArray(noticeMessages.status, ["pending", "failed"]),
        isNotNull(noticeMessages.error),
      ),
    )
    .orderBy(desc(noticeMessages.id))
    .limit(unsentShown);
  return {
    object: "mail_status",
    configured: smtp !== null,
    server: smtp && `${smtp.host}:${smtp.port}`,
    security: smtp?.security ?? null,
    from: smtp?.from ?? null,
    waiting: sums?.waiting ?? 0,
    sent_24h: sums?.sent ?? 0,
    failed_24h: sums?.failed ?? 0,
    last_sent_at: sums?.last ? new Date(sums.last).toISOString() : null,
    unsent: unsent.map(({ id, kind, address, recipient, attempts, error, createdAt }) => ({
      id,
      kind,
      address: address ?? recipient,
      attempts,
      error,
      created_at: createdAt.toISOString(),
    })),
  };
}

const tests: Limit = { name: "mail tests", count: 10, periodMs: 60_000 };

/**
 * Sends an example at once, to the asking operator or the given address. Throws `mail_not_configured`,
 * `rate_limit_exceeded`, `missing_parameter` if a key gives no address, and as `newEmail`.
 */
export async function testMail(
  { config, database, limiter }: EventsContext,
  actor: Actor,
  { to }: MailTest,
): Promise<TestResult> {
  const { smtp } = config;
  if (!smtp)
    throw new ApiError(
      "mail_not_configured",
      "This installation sends no e-mail: set SMTP_HOST and SMTP_FROM.",
    );
  const address = to === undefined ? await ownAddress(database.queries, actor) : newEmail(to);
  const taken = await limiter.take(actor.id, tests);
  if (!taken.allowed) throw tooManyRequests("Too many tests. Wait a minute and try again.", taken);
  const transport = await openMailTransport(smtp);
  const texts = await messageWords("mail", await languageOf(database.queries, actor.userId));
  const letter = writeLetter({
    texts,
    subject: texts("test"),
    sections: [
      {
        title: texts("testTitle"),
        text: texts("testText"),
        url: pageUrls(config)("/operator/mail", null),
      },
    ],
    footer: texts("testElse"),
  });
  const error = await transport
    .send({ id: newId("noticeMessage"), to: address, ...letter })
    .then(() => null)
    .catch((caught: unknown) => {
      if (caught instanceof MailError) return caught.message;
      throw caught;
    })
    .finally(() => transport.close());
  return { object: "notice_test", sent: error === null, error };
}

async function ownAddress(queries: Queries, { id }: Actor): Promise<string> {
  const [user] = await queries.select({ email: users.email }).from(users).where(eq(users.id, id));
  if (!user)
    throw new ApiError(
      "missing_parameter",
      "A key has no e-mail address. Send the recipient's address as `to`.",
      { param: "to" },
    );
  return user.email;
}
