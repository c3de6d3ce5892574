import { ConfigError, type SettingReader } from "./setting-reader.ts";

/** The mail server for outgoing e-mail. */
export interface SmtpConfig {
  host: string;
  port: number;
  /** `starttls` requires it; `none` is for a server on this machine or in a trusted network. */
  security: "starttls" | "tls" | "none";
  user: string | null;
  password: string | null;
  /** `Gatehouse <gatehouse@example.com>` or only the address. */
  from: string;
  /** PEM file with additional trusted authorities. */
  caFile: string | null;
}

const needed = "SMTP_HOST";
const settings = [
  "SMTP_PORT",
  "SMTP_SECURITY",
  "SMTP_USER",
  "SMTP_PASSWORD",
  "SMTP_FROM",
  "SMTP_CA_FILE",
] as const;
const usualPorts = { starttls: 587, tls: 465, none: 25 } as const;
const sender = /^(?:[^<>\r\n]{1,200} )?<?[^\s<>@,;]+@[^\s<>@,;]+>?$/;

/** The settings of the mail server; null without one. Throws ConfigError. */
export function readSmtp(read: SettingReader): SmtpConfig | null {
  const host = read.text(needed);
  if (host === null) {
    const given = settings.find((name) => read.isSet(name));
    if (given) throw new ConfigError(`${needed} must be set when ${given} is set`);
    return null;
  }
  const security = read.choice("SMTP_SECURITY");
  const user = read.text("SMTP_USER");
  const password = read.text("SMTP_PASSWORD");
  if ((user === null) !== (password === null))
    throw new ConfigError("SMTP_USER and SMTP_PASSWORD must be set together");
  const from = read.text("SMTP_FROM");
  if (from === null || !sender.test(from))
    throw new ConfigError(
      "SMTP_FROM must be the sender of e-mails when SMTP_HOST is set, such as Gatehouse <gatehouse@example.com>",
    );
  return {
    host,
    port: read.integer("SMTP_PORT") ?? usualPorts[security],
    security,
    user,
    password,
    from,
    caFile: read.text("SMTP_CA_FILE"),
  };
}
