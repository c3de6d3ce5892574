import { readFileSync } from "node:fs";
import { isIP, type LookupFunction } from "node:net";
import tls from "node:tls";
import type { buildConnector } from "undici";
import { isPublicAddress, refusedHostName } from "./address-rules.ts";
import { type Resolve, type ResolvedAddress, resolveHost } from "./resolve.ts";

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
