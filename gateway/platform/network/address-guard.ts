import { isIP } from "node:net";
import { Agent } from "undici";
import { isPublicAddress, refusedHostName } from "./address-rules.ts";
import { type GuardOptions, guardedConnectors } from "./guarded-connector.ts";
import { type Resolve, resolveHost } from "./resolve.ts";

export interface AddressPolicy {
  ports: readonly number[];
  allowCidrs: readonly string[];
}

export type CheckedUrl = { ok: true; url: URL } | { ok: false; reason: string };

const maxUrlLength = 2048;
/** Idle and total lifetime of a kept-alive connection, so that a socket checked once is not used for ever. */
const keepAliveMs = 10_000;
const maxKeepAliveMs = 60_000;
/**
 * Spaces, control and invisible characters: URL parsers drop them silently, so the displayed URL would differ
 * from the one called.
 */
const hiddenCharacters = /[\p{Cc}\p{Cf}\p{Z}\\]/u;

/**
 * Whether the gateway may call a user's URL, judged by its text; `url` is the normalised form to store.
 * `reason` completes "The URL …".
 */
export function checkUrl(text: string, policy: AddressPolicy): CheckedUrl {
  const refuse = (reason: string): CheckedUrl => ({ ok: false, reason });
  if (text.length > maxUrlLength) return refuse(`is longer than ${maxUrlLength} characters`);
  if (hiddenCharacters.test(text)) return refuse("contains spaces, backslashes or control characters");
  const authority = /^https:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return refuse("must start with https:// and a host");
  if (text.includes("#")) return refuse("must not have a fragment (#…)");
  if (authority.includes("@")) return refuse("must not contain credentials");
  const url = URL.parse(text);
  if (!url) return refuse("is not a valid URL");
  const host = url.hostname.replace(/\.+$/, "");
  url.hostname = host;
  if (host === "" || url.hostname.endsWith(".")) return refuse("has no valid host");
  const port = url.port === "" ? 443 : Number(url.port);
  if (!policy.ports.includes(port)) return refuse(`uses port ${port}; allowed: ${policy.ports.join(", ")}`);
  const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(literal) !== 0) {
    if (!isPublicAddress(literal, policy.allowCidrs))
      return refuse(`points to ${literal}, which is not a public address`);
    return { ok: true, url };
  }
  const refused = refusedHostName(host);
  if (refused) return refuse(`is not public: ${refused}`);
  if (url.href.length > maxUrlLength) return refuse(`is longer than ${maxUrlLength} characters`);
  return { ok: true, url };
}

/** Whether the host of a checked URL currently resolves only to public addresses. */
export async function leadsToPublicAddress(
  url: URL,
  policy: Pick<AddressPolicy, "allowCidrs"> & { resolve?: Resolve },
): Promise<boolean> {
  if (isIP(url.hostname.replace(/^\[(.*)\]$/, "$1")) !== 0) return true;
  const addresses = await (policy.resolve ?? resolveHost)(url.hostname).catch(() => []);
  return (
    addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address, policy.allowCidrs))
  );
}

/** An undici Agent that reaches only public HTTPS addresses, follows no redirects and uses no proxy. */
export function createGuardedAgent(options: GuardOptions): Agent {
  return new Agent({
    connect: guardedConnectors(options)(),
    allowH2: false,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: maxKeepAliveMs,
  });
}
