import dns from "node:dns";

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

export function errorCodeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
