import { useEffect, useEffectEvent } from "react";
import { askPasskey, canOfferPasskeys } from "@/lib/browser/passkeys";

/** Offers passkeys where the browser fills in the e-mail address; `use` gets what the chosen one signed. */
export function usePasskeyAutofill(active: boolean, use: (credential: string) => void): void {
  const chosen = useEffectEvent(use);
  useEffect(() => {
    if (!active) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const offer = async () => {
      if (!(await canOfferPasskeys()) || signal.aborted) return;
      const asked = await askPasskey({ autofill: true, signal });
      // Without one the form is as good as before.
      if (!signal.aborted && asked.ok && asked.data !== null) chosen(asked.data);
    };
    void offer();
    return () => leaving.abort();
  }, [active]);
}
