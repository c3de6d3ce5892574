import type { WholeAnswer } from "#gateway/models/providers/http/http-client.ts";
import { recordOf, textOf } from "#gateway/models/providers/http/read-body.ts";

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
export function troubleOfAnswer({ answer, body, text, url, hasKey }: Answered): string | null {
  const { status, headers } = answer;
  const said = messageIn(body);
  const quote = said ? ` Its message: ${said}` : "";
  const isPage = /^\s*<(!doctype|html|head|body)/i.test(text);
  if (isPage)
    return `${url.host} answered with a web page (HTTP ${status}) instead of JSON. A proxy or sign-in page may be in between, or the address is that of a website: check the base URL.`;
  if (status === 407) return `A proxy before ${url.host} requires a sign-in (HTTP 407).`;
  if (status === 401 || status === 403)
    return `${hasKey ? `The key was refused (HTTP ${status}).` : `A key is required (HTTP ${status}).`}${quote}${clockNote(headers)}`;
  if (status === 402)
    return `The provider reports a problem with the bill or credit of this account (HTTP 402).${quote}`;
  if (status >= 300 && status < 400)
    return `${url.host} sends callers to ${String(headers.location ?? "another address")}. Enter that address: a key is never sent along a redirect.`;
  if (status === 404 || status === 405)
    return `${url.host} answers, but has no ${url.pathname} (HTTP ${status}). Check the path of the base URL; most end in /v1.`;
  if (status === 429)
    return `The provider is at its rate limit (HTTP 429). The address and probably the key are right; try again later.${quote}`;
  if (status >= 400) return `The provider failed (HTTP ${status}).${quote}`;
  if (body === null) return `${url.host} answered, but not with JSON: check the base URL.`;
  return null;
}

/** The problem of a call that got no answer. */
export function troubleOfConnection(error: unknown, url: URL, waitedMs: number): string {
  const code = codeOf(error);
  const { hostname: host } = url;
  const at = `${host}:${url.port || (url.protocol === "https:" ? 443 : 80)}`;
  if (/^(ENOTFOUND|EAI_AGAIN|dns_error|ENODATA|ETIMEOUT)$/.test(code))
    return `There is no host ${host}: its name does not resolve. Check the spelling, and the DNS of this machine.`;
  if (code === "ECONNREFUSED")
    return `Nothing listens at ${at}. Start the server there, or check the port. From inside a container, localhost is the container itself.`;
  if (/^(EHOSTUNREACH|ENETUNREACH)$/.test(code)) return `There is no way to ${host} from this machine.`;
  if (/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(code))
    return `${at} could not be reached in time. A firewall may be blocking it.`;
  if (/^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|TimeoutError)$/.test(code))
    return `${host} accepted the connection, but did not answer within ${waitedMs / 1000} s.`;
  if (certificateCodes.test(code)) return troubleOfCertificate(code, error, host);
  if (/SSL|EPROTO|TLS/.test(code)) return `${at} does not speak https. Try http:// instead.`;
  if (code.startsWith("HPE_"))
    return `${at} does not speak ${url.protocol.replace(":", "")}, or is another service.`;
  if (code === "blocked_address")
    return `${host} leads to a private address. If you intend that, allow private addresses for this provider.`;
  return `The connection to ${at} was closed without an answer (${code}).`;
}

const certificateCodes = /CERT|SIGNATURE|ISSUER/;

function troubleOfCertificate(code: string, error: unknown, host: string): string {
  const now = `the clock of this machine, which says ${new Date().toISOString()}`;
  if (code === "CERT_HAS_EXPIRED")
    return `The certificate of ${host} has expired. Have it renewed, or check ${now}.`;
  if (code === "CERT_NOT_YET_VALID") return `The certificate of ${host} is not valid yet. Check ${now}.`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const names = namesOfCertificate(error);
    return `The certificate at ${host} is for ${names ?? "another name"}. Check the address; a proxy may be in between.`;
  }
  const signer =
    code === "DEPTH_ZERO_SELF_SIGNED_CERT"
      ? "it is signed by the server itself"
      : "it is signed by an authority that this machine does not know, such as that of a company or of a proxy in between";
  return `The certificate of ${host} is not trusted: ${signer} (${code}). If you trust it, set NODE_EXTRA_CA_CERTS to the path of its PEM file and start the gateway again.`;
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
function clockNote(headers: WholeAnswer["headers"]): string {
  const theirs = Date.parse(String(headers.date ?? ""));
  const apartMs = Math.abs(theirs - Date.now());
  if (Number.isNaN(theirs) || apartMs < clockToleranceMs) return "";
  return ` Its clock and that of this machine are ${Math.round(apartMs / 60_000)} minutes apart: check the clock.`;
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
