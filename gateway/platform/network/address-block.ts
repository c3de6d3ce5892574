import { isIPv6 } from "node:net";

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An address in its one way of writing: an IPv4 address that a socket shows as IPv6 is an IPv4 address. */
export function plainAddress(address: string): string {
  return mappedIpv4.exec(address)?.[1] ?? address;
}

/**
 * The unit for limits per address: an IPv4 address, or the /64 of an IPv6 address, because one machine may use all of
 * it.
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
