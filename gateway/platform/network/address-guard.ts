import dns from "node:dns";
import { readFileSync } from "node:fs";
import { isIP, type LookupFunction } from "node:net";
import tls from "node:tls";
import { Agent, type buildConnector } from "undici";
import { isPublicAddress, refusedHostName } from "./address-rules.ts";
import { assertMayLeave } from "./quiet.ts";

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
  if (refused) {
    const instead = host === "localhost" && isPublicAddress("127.0.0.1", policy.allowCidrs);
    return refuse(`is not public: ${refused}${instead ? "; write 127.0.0.1 instead" : ""}`);
  }
  if (url.href.length > maxUrlLength) return refuse(`is longer than ${maxUrlLength} characters`);
  return { ok: true, url };
}

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** All addresses of a name. Throws an Error with a `code` such as ENOTFOUND or ETIMEOUT. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

const tryMs = 3000;

const tries = 2;

/**
 * Resolves a name without `dns.lookup`, because a few dead name servers would occupy its four threads and
 * stall the requests to all other hosts. Only a name that DNS does not know, such as one of the hosts file,
 * is looked up with `dns.lookup`.
 */
export const resolveHost: Resolve = async (host) => {
  const resolver = new dns.promises.Resolver({ timeout: tryMs, tries });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found: ResolvedAddress[] = [
    ...(ipv4.status === "fulfilled" ? ipv4.value.map((address) => ({ address, family: 4 as const })) : []),
    ...(ipv6.status === "fulfilled" ? ipv6.value.map((address) => ({ address, family: 6 as const })) : []),
  ];
  if (found.length > 0) return found;
  const failure: unknown = ipv4.status === "rejected" ? ipv4.reason : null;
  if (errorCodeOf(failure) === "ETIMEOUT") throw failure;
  const local = await dns.promises.lookup(host, { all: true, verbatim: true });
  return local.map(({ address, family }) => ({ address, family: family === 4 ? 4 : 6 }));
};

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

export function errorCodeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

export interface GuardOptions {
  ports: readonly number[];
  allowCidrs: readonly string[];
  /** PEM file with additional trusted authorities. */
  caFile?: string | null;
  connectTimeoutMs?: number;
  /** Tests pass their own resolver. */
  resolve?: Resolve;
}

/**
 * Durations of a connection's phases in milliseconds; null for a phase that was not reached or not needed.
 */
export interface Connection {
  phase: "dns" | "connect" | "tls" | "open";
  remoteIp: string | null;
  openedAtMs: number | null;
  timings: { dns: number | null; connect: number | null; tls: number | null };
}

/**
 * Users may not reach this address or name through the gateway; the message does not reveal which of the two
 * it is.
 */
export class BlockedAddressError extends Error {
  readonly code = "blocked_address";

  constructor(message = "The URL does not lead to a public address") {
    super(message);
  }
}

/** The name did not resolve; `cause` is the resolver's error. */
export class NameNotResolvedError extends Error {
  readonly code = "dns_error";
}

const defaultConnectTimeoutMs = 10_000;

const socketKeepAliveMs = 60_000;

/** Called when a connection begins; the record is filled in later. */
type OnConnection = (connection: Connection) => void;

/** An undici Agent that reaches only public HTTPS addresses, follows no redirects and uses no proxy. */
export function createGuardedAgent(options: GuardOptions): Agent {
  return new Agent({
    connect: guardedConnectors(options)(),
    allowH2: false,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: maxKeepAliveMs,
  });
}

/**
 * Makes undici connectors that open TLS connections only to public addresses. They check the literal host,
 * every resolved address (one bad answer refuses all) and the connected peer, inside the connection itself:
 * nothing can change between check and use, and no proxy setting applies. The trusted authorities are read
 * once, here.
 */
export function guardedConnectors(
  options: GuardOptions,
): (onConnection?: OnConnection) => buildConnector.connector {
  const secureContext = options.caFile ? trusting(options.caFile) : undefined;
  const timeoutMs = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
  return (onConnection) => (target, callback) => {
    const connection: Connection = {
      phase: "dns",
      remoteIp: null,
      openedAtMs: null,
      timings: { dns: null, connect: null, tls: null },
    };
    onConnection?.(connection);
    allowedAddresses(target, options, connection).then(
      (addresses) => open(target, addresses, connection),
      (error: Error) => callback(error, null),
    );

    function open(to: buildConnector.Options, addresses: ResolvedAddress[], record: Connection): void {
      record.phase = "connect";
      const startedAt = performance.now();
      const socket = tls.connect({
        host: to.hostname,
        port: Number(to.port || 443),
        servername: isIP(to.hostname) ? "" : to.hostname,
        lookup: pinned(addresses),
        ALPNProtocols: ["http/1.1"],
        rejectUnauthorized: true,
        ...(secureContext && { secureContext }),
      });
      socket.setNoDelay(true);
      socket.setKeepAlive(true, socketKeepAliveMs);
      const timer = setTimeout(() => {
        socket.destroy(Object.assign(new Error("No connection in time"), { code: "ETIMEDOUT" }));
      }, timeoutMs);
      let settled = false;
      const settle = (error: Error | null) => {
        clearTimeout(timer);
        if (settled) return;
        settled = true;
        if (error) callback(error, null);
        else callback(null, socket);
      };
      socket.once("connect", () => {
        record.timings.connect = performance.now() - startedAt;
        record.phase = "tls";
        const { remoteAddress } = socket;
        if (remoteAddress && isPublicAddress(remoteAddress, options.allowCidrs))
          record.remoteIp = remoteAddress;
        else socket.destroy(new BlockedAddressError());
      });
      socket.once("secureConnect", () => {
        record.timings.tls = performance.now() - startedAt - (record.timings.connect ?? 0);
        record.openedAtMs = performance.now();
        record.phase = "open";
        settle(null);
      });
      socket.on("error", settle);
      socket.once("close", () =>
        settle(Object.assign(new Error("The connection closed"), { code: "ECONNRESET" })),
      );
    }
  };
}

async function allowedAddresses(
  { protocol, hostname, port }: buildConnector.Options,
  options: GuardOptions,
  connection: Connection,
): Promise<ResolvedAddress[]> {
  assertMayLeave();
  if (protocol !== "https:") throw new BlockedAddressError("Only https is allowed");
  if (!options.ports.includes(Number(port || 443)))
    throw new BlockedAddressError(`Port ${port} is not allowed`);
  const version = isIP(hostname);
  if (version !== 0) {
    if (!isPublicAddress(hostname, options.allowCidrs)) throw new BlockedAddressError();
    return [{ address: hostname, family: version === 4 ? 4 : 6 }];
  }
  const refused = refusedHostName(hostname.replace(/\.+$/, ""));
  if (refused) throw new BlockedAddressError(refused);
  const startedAt = performance.now();
  const addresses = await (options.resolve ?? resolveHost)(hostname).catch((cause: Error) => {
    throw new NameNotResolvedError(`${hostname} did not resolve: ${cause.message}`, { cause });
  });
  connection.timings.dns = performance.now() - startedAt;
  const hasPrivate = addresses.some(({ address }) => !isPublicAddress(address, options.allowCidrs));
  if (hasPrivate) throw new BlockedAddressError();
  if (addresses.length === 0) throw new NameNotResolvedError(`${hostname} has no address`);
  return addresses;
}

/** A look-up that returns only the checked addresses. */
function pinned(addresses: ResolvedAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all || !first) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

function trusting(caFile: string): tls.SecureContext {
  return tls.createSecureContext({ ca: [...tls.getCACertificates("default"), readFileSync(caFile, "utf8")] });
}
