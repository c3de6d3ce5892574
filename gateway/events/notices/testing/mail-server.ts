import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The message exactly as received. */
  raw: string;
  subject: string;
  headers: Map<string, string>;
  text: string;
  html: string;
}

export interface MailServer {
  port: number;
  mails: ReceivedMail[];
  /** Sets the answer to recipients from now on; null: they are accepted. */
  refuse(answer: { code: number; message: string } | null): void;
  /** The first e-mail, received or still to come, that passes the check. */
  next(check?: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>;
  close(): Promise<void>;
}

interface MailServerOptions {
  /** If set, the server offers STARTTLS. */
  certificate?: { key: string; cert: string };
  login?: { user: string; password: string };
}

/** A real SMTP server that stores received messages. */
export async function startMailServer({ certificate, login }: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const waiting = new Set<(mail: ReceivedMail) => void>();
  let refusal: { code: number; message: string } | null = null;
  const server = new SMTPServer({
    ...certificate,
    authOptional: !login,
    disabledCommands: [...(certificate ? [] : ["STARTTLS"]), ...(login ? [] : ["AUTH"])],
    onAuth(auth, _session, done) {
      if (auth.username === login?.user && auth.password === login?.password)
        done(null, { user: auth.username });
      else done(Object.assign(new Error("Wrong user or password"), { responseCode: 535 }));
    },
    onRcptTo(_address, _session, done) {
      done(refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = readMail(
          Buffer.concat(chunks).toString("utf8"),
          mailFrom === false ? "" : mailFrom.address,
          rcptTo.map(({ address }) => address),
        );
        mails.push(mail);
        done();
        for (const tell of waiting) tell(mail);
      });
    },
  });
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1") as Server;
  await once(listening, "listening");
  return {
    port: (listening.address() as AddressInfo).port,
    mails,
    refuse(answer) {
      refusal = answer;
    },
    next(check = () => true) {
      const past = mails.find(check);
      if (past) return Promise.resolve(past);
      return new Promise((resolve) => {
        const tell = (mail: ReceivedMail): void => {
          if (!check(mail)) return;
          waiting.delete(tell);
          resolve(mail);
        };
        waiting.add(tell);
      });
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function readMail(raw: string, from: string, to: string[]): ReceivedMail {
  const { headers, body } = partOf(raw);
  const boundary = /boundary="?([^";\s]+)/.exec(headers.get("content-type") ?? "")?.[1] ?? "none";
  const parts = body.split(`--${boundary}`).map((part) => partOf(part.replace(/^\r\n/, "")));
  const content = (type: string) => {
    const part = parts.find(({ headers: own }) => own.get("content-type")?.startsWith(type));
    return part ? decoded(part.body, part.headers.get("content-transfer-encoding") ?? "7bit") : "";
  };
  return {
    from,
    to,
    raw,
    headers,
    subject: readWords(headers.get("subject") ?? ""),
    text: content("text/plain"),
    html: content("text/html"),
  };
}

function partOf(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: raw.slice(end + 4) };
}

function decoded(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  return encoding === "quoted-printable" ? quotedText(body.replace(/=\r\n/g, "")) : body;
}

/** Decodes encoded words of a header (RFC 2047). */
function readWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(word, "base64").toString("utf8")
        : quotedText(word.replaceAll("_", " ")),
    );
}

function quotedText(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
