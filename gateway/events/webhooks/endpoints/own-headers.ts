import type { EndpointCreate } from "#contract/webhook.ts";
import { ownHeaderLimits } from "#contract/webhook-constants.ts";
import { type ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { Sealed, Sealer } from "#gateway/platform/core/console-secret.ts";
import type { SealedHeaders } from "#gateway/platform/database/tables/webhooks.ts";

/** Lower-case names with their values. */
export type OwnHeaders = [name: string, value: string][];

const nameForm = /^[a-z0-9][a-z0-9_-]*$/;
/** The characters that a header value may have: printable ASCII, no line break. */
const valueForm = /^[\x20-\x7e]+$/;

/** Headers that the gateway sets itself, and those that depend on the connection or the body. */
const reserved = new Set([
  "host",
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
  "expect",
  "accept",
  "accept-encoding",
  "user-agent",
  "traceparent",
  "tracestate",
]);
const reservedBeginnings = ["x-svc-", "webhook-", "content-"];

/**
 * An endpoint's new custom headers, sealed; null: none. A header without a value keeps its value from
 * `before`. Throws `invalid_parameter`.
 */
export function sealedHeaders(
  box: Sealer,
  endpointId: string,
  input: NonNullable<EndpointCreate["headers"]>,
  before: SealedHeaders | null,
): SealedHeaders | null {
  const known = new Map(before ? openHeaders(box, before, endpointId) : []);
  const headers = new Map<string, string>();
  for (const [at, { name: written, value }] of input.entries()) {
    const name = written.toLowerCase();
    const text = value?.trim() ?? known.get(name);
    if (!nameForm.test(name))
      throw refused(at, "name", `"${written}" is not a valid header name: use letters, digits and hyphens.`);
    if (reserved.has(name) || reservedBeginnings.some((beginning) => name.startsWith(beginning)))
      throw refused(at, "name", `${name} is set by the gateway or by the connection. Choose another name.`);
    if (headers.has(name)) throw refused(at, "name", `${name} is listed twice.`);
    if (text === undefined) throw refused(at, "value", `${name} has no value yet: send one.`);
    if (!valueForm.test(text))
      throw refused(at, "value", `The value of ${name} may have printable ASCII characters only.`);
    headers.set(name, text);
  }
  const all: OwnHeaders = [...headers];
  const size = all.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (size > ownHeaderLimits.totalLength)
    throw invalidParameter(
      "headers",
      `Names and values together have ${size} characters; at most ${ownHeaderLimits.totalLength} are allowed.`,
    );
  if (all.length === 0) return null;
  return { names: all.map(([name]) => name), ...box.seal(JSON.stringify(all), endpointId) };
}

/** Throws if neither master secret sealed the headers. */
export function openHeaders(box: Sealer, sealed: Sealed, endpointId: string): OwnHeaders {
  return JSON.parse(box.open(sealed, endpointId)) as OwnHeaders;
}

function refused(at: number, part: "name" | "value", message: string): ApiError {
  return invalidParameter(`headers[${at}].${part}`, message);
}
