import { useState } from "react";
import { reportFailure } from "./report-failure.ts";

/** How one media file is shown: its address now, and whether loading it failed. */
export function useMediaAddress(url: string) {
  const first = { url, address: url, failed: false, refreshed: false };
  const [kept, setKept] = useState(first);
  const state = kept.url === url ? kept : first;
  return {
    ...state,
    /** Props of the element that shows it. */
    element: reportFailure(() => setKept({ ...state, failed: true })),
    /** Loads the file again, from a fresh address where there is one. */
    onAddress: (address: string) => setKept({ url, address, failed: false, refreshed: true }),
  };
}
