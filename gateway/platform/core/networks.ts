import { BlockList, isIP } from "node:net";

/** Reads addresses and ranges (`10.0.0.0/8`, `2001:db8::/32`). Throws on the first that is neither, naming it. */
export function readNetworks(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = "", prefix] = text.split("/");
    const version = isIP(address);
    const widest = version === 4 ? 32 : 128;
    const bits = prefix === undefined ? widest : Number(prefix);
    if (version === 0 || !/^\d+$/.test(prefix ?? "0") || bits > widest)
      throw new Error(`"${text}" is not an address or range such as 10.0.0.0/8`);
    list.addSubnet(address, bits, version === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

const known = new WeakMap<readonly string[], BlockList>();

/**
 * Whether the address is in one of these networks; null means any. An IPv4 address is the same address when it
 * is written as IPv6 (`::ffff:10.0.0.1`). An address that cannot be read is in none.
 */
export function isInNetworks(networks: readonly string[] | null | undefined, address: string): boolean {
  if (!networks) return true;
  const list = known.get(networks) ?? readNetworks(networks);
  known.set(networks, list);
  const [plain = ""] = address.split("%");
  const version = isIP(plain);
  return version !== 0 && list.check(plain, version === 4 ? "ipv4" : "ipv6");
}
