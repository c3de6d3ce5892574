import dns from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { isPublicAddress } from "#gateway/platform/network/address-rules.ts";
import { BlockedAddressError, guardedConnectors } from "#gateway/platform/network/guarded-connector.ts";

const anywhere = ["0.0.0.0/0", "::/0"];

/**
 * Opens connections to an upstream: only to public https addresses or, if the operator allowed private ones,
 * to any address except the clouds' metadata services.
 */
export function connectorFor(
  origin: string,
  connectTimeoutMs: number,
  allowPrivate: boolean,
): buildConnector.connector {
  const url = new URL(origin);
  if (!allowPrivate) {
    const ports = [Number(url.port || 443)];
    return guardedConnectors({ ports, allowCidrs: [], connectTimeoutMs })();
  }
  const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false, lookup: checkedLookup });
  return (target, callback) => {
    if (isIP(literal) !== 0 && !isPublicAddress(literal, anywhere))
      return callback(new BlockedAddressError(forbidden), null);
    return connect(target, callback);
  };
}

/** Whether a literal address may be called if private ones are allowed. */
export function isCallable(address: string): boolean {
  return isPublicAddress(address, anywhere);
}

const forbidden = "The address belongs to a service of the machine or cloud, so no provider can use it";

const checkedLookup: LookupFunction = (host, options, callback) => {
  dns.lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, "", 0);
    if (!found.every(({ address }) => isPublicAddress(address, anywhere)))
      return callback(new BlockedAddressError(forbidden), "", 0);
    const [first] = found;
    if (options.all || !first) return callback(null, found);
    return callback(null, first.address, first.family);
  });
};
