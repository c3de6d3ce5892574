/** For whom browsers keep passkeys: the console's host and origin. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** Null where browsers offer no passkeys: a console over plain http, or at a bare address. */
export function relyingPartyOf(consoleUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(consoleUrl);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith("[");
  return (protocol === "https:" && !isAddress) || isLocal ? { id: hostname, origin } : null;
}
