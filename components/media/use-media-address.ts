import { useState } from "react";
import { reportFailure } from "./report-failure.ts";

/** A media file's current URL, and whether loading it failed. */
export function useMediaAddress(url: string) {
  const first = { url, address: url, failed: false, refreshed: false };
  const [kept, setKept] = useState(first);
  const state = kept.url === url ? kept : first;
  return {
    ...state,
    /** Props for the media element. */
    element: reportFailure(() => setKept({ ...state, failed: true })),
    /** Loads the file again from a new URL. */
    onAddress: (address: string) => setKept({ url, address, failed: false, refreshed: true }),
  };
}
