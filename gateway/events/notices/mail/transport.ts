import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import tls from "node:tls";
import type { SmtpConfig } from "#gateway/platform/core/config.ts";

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
