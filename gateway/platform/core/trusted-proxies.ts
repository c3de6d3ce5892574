import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { readNetworks } from "./networks.ts";

const loopback = ["127.0.0.0/8", "::1/128"];

/** The reverse proxies whose `X-Forwarded-For` is trusted. */
export interface TrustedProxies {
  isTrusted(address: string): boolean;
  /** The client's address for a connection from `peer`: the last address that is not a trusted proxy. */
  clientAddress(peer: string, forwardedFor: string | undefined): string;
}

/** Reads addresses, ranges (`10.0.0.0/8`) and `loopback`. Throws on an invalid entry, naming it. */
export function trustedProxies(entries: readonly string[]): TrustedProxies {
  const list = readNetworks(entries.flatMap((text) => (text === "loopback" ? loopback : [text])));
  const isTrusted = (address: string): boolean => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
  };
  return {
    isTrusted,
    clientAddress(peer, forwardedFor) {
      if (forwardedFor === undefined) return peer;
      const hops = forwardedFor.split(",").map((hop) => withoutPort(hop.trim()));
      let address = peer;
      while (isTrusted(address)) {
        const before = hops.pop();
        if (before === undefined || isIP(before) === 0) break;
        address = before;
      }
      return address;
    },
  };
}

/** Some proxies add the client's port: `203.0.113.7:5678`, `[2001:db8::7]:5678`. */
function withoutPort(hop: string): string {
  const [, v6, v4] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? [];
  return v6 ?? v4 ?? hop;
}

const purpose = "gatehouse client address";
/** Allowed clock difference between console and gateway. */
const validMs = 300_000;
const form = /^t=(\d{1,12}),a=([0-9A-Fa-f.:]{2,45}),v1=([0-9a-f]{64})$/;

/**
 * The header in which the console passes on a browser's address, signed with a key derived from the console's
 * secret.
 */
export function signClientAddress(secret: string, address: string, nowMs = Date.now()): string {
  const seconds = Math.floor(nowMs / 1000);
  return `t=${seconds},a=${address},v1=${signature(secret, seconds, address).toString("hex")}`;
}

/** The browser's address from the console's header; null if the signature is invalid or too old. */
export function readClientAddress(
  secrets: readonly string[],
  text: string,
  nowMs = Date.now(),
): string | null {
  const [, time = "", address = "", given = ""] = form.exec(text) ?? [];
  if (isIP(address) === 0 || Math.abs(nowMs - Number(time) * 1000) > validMs) return null;
  const bytes = Buffer.from(given, "hex");
  const isSigned = secrets.some((secret) => timingSafeEqual(signature(secret, Number(time), address), bytes));
  return isSigned ? address : null;
}

function signature(secret: string, seconds: number, address: string): Buffer {
  const key = Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
  return createHmac("sha256", key).update(`${seconds}.${address}`).digest();
}
