import { useEffect, useState } from "react";

/** The one-time token after `#` in the address, which no server sees; null until the page runs, empty without one. */
export function useLinkToken(): string | null {
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    const read = () => setToken(decodeURIComponent(location.hash.slice(1)));
    read();
    // A link opened in the tab that shows this page already only changes the fragment.
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return token;
}
