import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import tls from "node:tls";
import type { SmtpConfig } from "#gateway/platform/core/smtp-config.ts";

const connectMs = 10_000;
const answerMs = 20_000;
const connections = 2;
/** After so many messages a connection is closed: servers limit them. */
const messagesPerConnection = 100;
const longestError = 300;

/** An e-mail with both its parts. */
export interface Mail {
  /** The same for each try, so that a mailbox that got it twice may show it once. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface MailTransport {
  /** Resolves when the server has taken it. Throws `MailError`. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Why the server did not take an e-mail. `isFinal`: it would not take it later either. */
export class MailError extends Error {
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** Hands e-mails to the configured server, over a few connections that are kept. */
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
    // A message is text that we wrote: it never names a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = domainOf(from);
  return {
    async send({ id, to, subject, text, html }) {
      try {
        await transport.sendMail({
          from,
          // As an object: a list of addresses in one is taken as one.
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
  // A wrong password is set right by the operator; an address that the server does not take stays wrong.
  const isFinal = code !== "EAUTH" && responseCode !== undefined && responseCode >= 500;
  return new MailError(said.replace(/\s+/g, " ").slice(0, longestError), isFinal);
}
