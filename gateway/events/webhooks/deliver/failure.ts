import type { DeliveryErrorCode } from "#contract/webhook.ts";
import {
  BlockedAddressError,
  type Connection,
  NameNotResolvedError,
} from "#gateway/platform/network/guarded-connector.ts";
import { errorCodeOf } from "#gateway/platform/network/resolve.ts";

/** How far an exchange had got when it failed. */
export interface Progress {
  connection: Connection | null;
  responseStarted: boolean;
}

/** The attempt did not finish within its deadline. */
export class DeadlineError extends Error {}
/** The worker stopped and aborted the attempt. */
export class StoppedError extends Error {}

const refusedCodes = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EHOSTDOWN",
  "ENETDOWN",
]);
const timeoutCodes = new Set(["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"]);

/** The contract's error code for an attempt that got no complete answer. */
export function failureCode(error: unknown, { connection, responseStarted }: Progress): DeliveryErrorCode {
  if (error instanceof StoppedError) return "interrupted";
  if (error instanceof BlockedAddressError) return "blocked_address";
  if (error instanceof NameNotResolvedError) return "dns_error";
  const phase = connection?.phase ?? "open";
  if (error instanceof DeadlineError)
    return phase === "connect" ? "connect_timeout" : phase === "dns" ? "dns_error" : "timeout";
  const code = errorCodeOf(error) ?? errorCodeOf((error as Error).cause) ?? "";
  if (phase === "connect") {
    if (timeoutCodes.has(code)) return "connect_timeout";
    return refusedCodes.has(code) || code === "" ? "connect_refused" : "connection_reset";
  }
  if (phase === "tls") return timeoutCodes.has(code) ? "timeout" : "tls_error";
  if (responseStarted || isUnreadable(error, code)) return "invalid_response";
  return "connection_reset";
}

/** OpenSSL's `<thread>:error:<number>:SSL routines:<function>:<reason>:<source file>:<line>:…`. */
const openSslLine = /[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):[^\s]*:\d+:?.*/s;
/** Node's advice to who runs it, which does not help who receives. */
const nodeAdvice = /;? (if the root CA is installed locally, )?try running Node\.js.*/s;

/** The error in words for the receiver's owner. */
export function failureDetail(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(openSslLine, "the TLS handshake failed: $1").replace(nodeAdvice, "").trim();
}

/** Whether the answer was not valid HTTP; undici's own parser errors have a name but not always a code. */
function isUnreadable(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false;
  const isUpgrade = code === "UND_ERR_SOCKET" && error.message === "bad upgrade";
  return (
    isUpgrade || error.name === "HTTPParserError" || /^(HPE_|UND_ERR_(HEADERS_OVERFLOW|RES_))/.test(code)
  );
}

/** The contract's error code for an HTTP answer that is not a success. Beyond 599 HTTP has no status. */
export function statusCodeFailure(status: number): DeliveryErrorCode {
  if (status > 599) return "invalid_response";
  if (status < 400) return "http_3xx";
  return status < 500 ? "http_4xx" : "http_5xx";
}
