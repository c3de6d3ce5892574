import { type BlockList, isIP, isIPv6 } from "node:net";
import { readNetworks } from "#gateway/platform/core/networks.ts";

/** IPv4 has a deny list: all special-purpose ranges, and Azure's WireServer, which looks public. */
const deniedIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
];

/**
 * IPv6 has an allow list, so that mapped, NAT64, unique-local and unassigned addresses are refused by
 * construction.
 */
const allowedIpv6 = ["2000::/3"];
const deniedIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

/** Metadata and platform services of clouds: no setting can allow these. */
const neverAllowed = [
  "169.254.0.0/16",
  "100.100.100.200/32",
  "168.63.129.16/32",
  "192.0.0.192/32",
  "fd00:ec2::/32",
  "fd20:ce::/32",
  "fd00:42::/32",
  "fd00:c1::/32",
  "fe80::/10",
  "64:ff9b::a9fe:0/112",
];

const publicDenied = readNetworks([...deniedIpv4, ...deniedIpv6]);
const publicIpv6 = readNetworks(allowedIpv6);
const never = readNetworks(neverAllowed);
const allowed = new WeakMap<readonly string[], { ipv4: BlockList; ipv6: BlockList }>();

/**
 * Whether the gateway may connect to this address for a user: public, or inside one of the operator's
 * `allowCidrs`. Rule: contract, "Only public HTTPS".
 */
export function isPublicAddress(ip: string, allowCidrs: readonly string[] = []): boolean {
  const version = isIP(ip);
  if (version === 0 || ip.includes("%")) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  if (never.check(ip, family)) return false;
  if (allowCidrs.length > 0 && allowListsOf(allowCidrs)[family].check(ip, family)) return true;
  if (family === "ipv4") return !publicDenied.check(ip, family);
  return publicIpv6.check(ip, family) && !publicDenied.check(ip, family);
}

/**
 * Throws on the first text that is not a CIDR, naming it, so that a typo fails at the start instead of at a
 * delivery.
 */
export function assertCidrs(cidrs: readonly string[]): void {
  allowListsOf(cidrs);
}

function allowListsOf(cidrs: readonly string[]) {
  const known = allowed.get(cidrs);
  if (known) return known;
  // Two lists, because a BlockList applies IPv4 rules also to mapped IPv6 addresses, which must stay refused.
  const lists = {
    ipv4: readNetworks(cidrs.filter((cidr) => !cidr.includes(":"))),
    ipv6: readNetworks(cidrs.filter((cidr) => cidr.includes(":"))),
  };
  allowed.set(cidrs, lists);
  return lists;
}

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Normalises an address: an IPv4 address that a socket shows as IPv6 becomes IPv4. */
export function plainAddress(address: string): string {
  return mappedIpv4.exec(address)?.[1] ?? address;
}

/**
 * The unit for limits per address: an IPv4 address, or the /64 of an IPv6 address, because one machine may
 * use all of it.
 */
export function addressBlock(address: string): string {
  const plain = plainAddress(address);
  if (plain !== address) return plain;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const start = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - start.length - rest.length)).fill("0");
  const groups = [...start, ...zeros, ...rest].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/** Names of internal hosts, whatever they resolve to today. */
const insideNames = [
  "localhost",
  "local",
  "internal",
  "localdomain",
  "home.arpa",
  "lan",
  "intranet",
  "corp",
  "svc",
];
const metadataNames = ["metadata.goog", "instance-data"];

/** Why a host name is refused before it is resolved; null if it is not. `host` has no trailing dots. */
export function refusedHostName(host: string): string | null {
  const name = host.toLowerCase();
  const inside = [...insideNames, ...metadataNames].find(
    (suffix) => name === suffix || name.endsWith(`.${suffix}`),
  );
  if (inside) return `${host} is a name of a private network`;
  if (!name.includes(".")) return `${host} has no domain`;
  return null;
}
