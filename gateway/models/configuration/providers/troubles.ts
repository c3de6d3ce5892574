import type { Sentence } from "#contract/sentences.ts";
import type { WholeAnswer } from "#gateway/models/providers/http/http-client.ts";
import { recordOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import { sentence } from "#gateway/platform/core/sentences.ts";

/** Clock differences up to this size are not reported. */
const clockToleranceMs = 5 * 60_000;
const quotedLength = 200;

interface Answered {
  answer: Pick<WholeAnswer, "status" | "headers">;
  body: unknown;
  text: string;
  url: URL;
  hasKey: boolean;
}

/** The problem with an answer, with the remedy; null if the answer is JSON with a status below 300. */
export function troubleOfAnswer({ answer, body, text, url, hasKey }: Answered): Sentence[] | null {
  const { headers } = answer;
  const { host } = url;
  const status = String(answer.status);
  const message = messageIn(body);
  const quote = message ? [sentence("provider_said", { message })] : [];
  const isPage = /^\s*<(!doctype|html|head|body)/i.test(text);
  if (isPage) return [sentence("web_page_answered", { host, status })];
  if (answer.status === 407) return [sentence("proxy_sign_in", { host })];
  if (answer.status === 401 || answer.status === 403)
    return [sentence(hasKey ? "key_refused" : "key_required", { status }), ...quote, ...clockNote(headers)];
  if (answer.status === 402) return [sentence("bill_unpaid"), ...quote];
  if (answer.status >= 300 && answer.status < 400) {
    const { location } = headers;
    return [
      location === undefined
        ? sentence("redirected_elsewhere", { host })
        : sentence("redirected", { host, address: String(location) }),
    ];
  }
  if (answer.status === 404 || answer.status === 405)
    return [sentence("path_unknown", { host, path: url.pathname, status })];
  if (answer.status === 429) return [sentence("provider_at_rate_limit"), ...quote];
  if (answer.status >= 400) return [sentence("provider_failed", { status }), ...quote];
  return body === null ? [sentence("not_json", { host })] : null;
}

/** The problem of a call that got no answer. */
export function troubleOfConnection(error: unknown, url: URL, waitedMs: number): Sentence {
  const code = codeOf(error);
  const { hostname: host } = url;
  const address = `${host}:${url.port || (url.protocol === "https:" ? 443 : 80)}`;
  if (/^(ENOTFOUND|EAI_AGAIN|dns_error|ENODATA|ETIMEOUT)$/.test(code))
    return sentence("host_unknown", { host });
  if (code === "ECONNREFUSED") return sentence("connection_refused", { address });
  if (/^(EHOSTUNREACH|ENETUNREACH)$/.test(code)) return sentence("host_unreachable", { host });
  if (/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(code))
    return sentence("connection_timed_out", { address });
  if (/^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|TimeoutError)$/.test(code))
    return sentence("answer_timed_out", { host, seconds: String(waitedMs / 1000) });
  if (certificateCodes.test(code)) return troubleOfCertificate(code, error, host);
  if (/SSL|EPROTO|TLS/.test(code)) return sentence("no_https", { address });
  if (code.startsWith("HPE_"))
    return sentence("other_protocol", { address, protocol: url.protocol.replace(":", "") });
  if (code === "blocked_address") return sentence("private_address", { host });
  return sentence("connection_closed", { address, error: code });
}

const certificateCodes = /CERT|SIGNATURE|ISSUER/;

function troubleOfCertificate(code: string, error: unknown, host: string): Sentence {
  const now = new Date().toISOString();
  if (code === "CERT_HAS_EXPIRED") return sentence("certificate_expired", { host, now });
  if (code === "CERT_NOT_YET_VALID") return sentence("certificate_not_yet_valid", { host, now });
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const names = namesOfCertificate(error);
    return names === null
      ? sentence("certificate_of_another", { host })
      : sentence("certificate_of_others", { host, names });
  }
  return sentence(
    code === "DEPTH_ZERO_SELF_SIGNED_CERT" ? "certificate_self_signed" : "certificate_of_unknown_authority",
    { host, error: code },
  );
}

/** The names on the certificate, from Node's message; null if it lists none. */
function namesOfCertificate(error: unknown): string | null {
  const listed = /altnames: (DNS:.+)$/.exec(innermost(error).message)?.[1];
  return listed ? listed.replaceAll("DNS:", "").slice(0, quotedLength) : null;
}

/** A ProviderError has the connection's error as its cause. */
function innermost(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

/** A wrong clock makes valid keys and signatures look invalid. */
function clockNote(headers: WholeAnswer["headers"]): Sentence[] {
  const theirs = Date.parse(String(headers.date ?? ""));
  const apartMs = Math.abs(theirs - Date.now());
  if (Number.isNaN(theirs) || apartMs < clockToleranceMs) return [];
  return [sentence("clocks_apart", { minutes: String(Math.round(apartMs / 60_000)) })];
}

/** The upstream's own message, in any of the known error formats. */
function messageIn(body: unknown): string | null {
  const top = recordOf(body);
  const inner = recordOf(top.error);
  const candidates = [inner.message, top.error, top.message, top.detail, top.title];
  const said = candidates.map(textOf).find((text) => text !== null);
  return said ? said.replace(/\s+/g, " ").slice(0, quotedLength) : null;
}

/** The innermost code: a ProviderError has the connection's error as its cause. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "ERROR";
  const inner = error.cause === undefined ? "ERROR" : codeOf(error.cause);
  if (inner !== "ERROR") return inner;
  const code = Reflect.get(error, "code");
  if (error.name === "TimeoutError") return error.name;
  return typeof code === "string" ? code : "ERROR";
}
