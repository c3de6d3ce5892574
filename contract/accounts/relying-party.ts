/** The host and origin of the console, for which browsers store passkeys. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** Null if browsers do not allow passkeys for it: plain http, or an IP address. */
export function relyingPartyOf(consoleUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(consoleUrl);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith("[");
  return (protocol === "https:" && !isAddress) || isLocal ? { id: hostname, origin } : null;
}
