import path from "node:path";
import { ConfigError, type SettingReader } from "./setting-reader.ts";

/** Where the audit log is streamed to. */
export type AuditStreamConfig =
  | { kind: "file"; path: string; retryMaxMs: number }
  | AuditReceiver<"otlp">
  | (AuditReceiver<"webhook"> & { secret: string });

export interface AuditReceiver<Kind> {
  kind: Kind;
  url: string;
  /** Further headers, such as the receiver's key. */
  headers: Record<string, string>;
  timeoutMs: number;
  retryMaxMs: number;
}

const others = ["AUDIT_STREAM_TO", "AUDIT_STREAM_SECRET", "AUDIT_STREAM_HEADERS"] as const;

const minSecretBytes = 24;

/** The settings of the audit stream; null if it is off. Throws ConfigError. */
export function readAuditStream(read: SettingReader): AuditStreamConfig | null {
  const kind = read.choice("AUDIT_STREAM");
  if (kind === "off") {
    const given = others.find((name) => read.isSet(name));
    if (given) throw new ConfigError(`AUDIT_STREAM must be set when ${given} is set`);
    return null;
  }
  const to = read.text("AUDIT_STREAM_TO") ?? "";
  const retryMaxMs = read.integer("AUDIT_STREAM_RETRY_MAX_MS");
  if (kind !== "webhook" && read.isSet("AUDIT_STREAM_SECRET"))
    throw new ConfigError("AUDIT_STREAM_SECRET is only for AUDIT_STREAM=webhook");
  if (kind === "file") {
    if (!path.isAbsolute(to) || to.endsWith("/"))
      throw new ConfigError("AUDIT_STREAM_TO must be the absolute path of a file with AUDIT_STREAM=file");
    if (read.isSet("AUDIT_STREAM_HEADERS"))
      throw new ConfigError("AUDIT_STREAM_HEADERS is not for AUDIT_STREAM=file");
    return { kind, path: to, retryMaxMs };
  }
  const url = URL.parse(to);
  // The message does not repeat the address, which may contain a key.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash)
    throw new ConfigError(
      `AUDIT_STREAM_TO must be an address with http or https, without a name, password or fragment, with AUDIT_STREAM=${kind}`,
    );
  const receiver = {
    url: url.href,
    headers: headersOf(read.text("AUDIT_STREAM_HEADERS") ?? ""),
    timeoutMs: read.integer("AUDIT_STREAM_TIMEOUT_MS"),
    retryMaxMs,
  };
  if (kind === "otlp") return { kind, ...receiver };
  return { kind, ...receiver, secret: checkedSecret(read.text("AUDIT_STREAM_SECRET") ?? "") };
}

function checkedSecret(secret: string): string {
  const bytes = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? "";
  if (Buffer.from(bytes, "base64").length < minSecretBytes)
    throw new ConfigError(
      `AUDIT_STREAM_SECRET must be whsec_ and the base64 of ${minSecretBytes} bytes or more with AUDIT_STREAM=webhook`,
    );
  return secret;
}

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const headerValue = /^[\t\x20-\x7e]*$/;
/** Headers that the gateway writes itself. */
const own = /^(host|content-.*|transfer-encoding|connection|user-agent|webhook-.*|x-svc-.*)$/i;

/** `name=value,name=value`, percent-encoded. Throws ConfigError without a value. */
function headersOf(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of text.split(",").filter((part) => part.trim() !== "")) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim();
    const value = decoded(pair.slice(at + 1).trim());
    if (at < 1 || !headerName.test(name) || own.test(name) || value === null || !headerValue.test(value))
      throw new ConfigError(
        "AUDIT_STREAM_HEADERS must be name=value,name=value, percent-encoded, without headers that Gatehouse writes itself",
      );
    headers[name] = value;
  }
  return headers;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
