/** The host and origin of the console. Browsers store passkeys for this host. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** Null when browsers do not allow passkeys at the console's address: plain http, or an IP address. */
export function relyingPartyOf(consoleUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(consoleUrl);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith("[");
  return (protocol === "https:" && !isAddress) || isLocal ? { id: hostname, origin } : null;
}
