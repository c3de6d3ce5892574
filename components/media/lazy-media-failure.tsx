import dynamic from "next/dynamic";
import { useState } from "react";
import { useWords } from "#words";
import type { MediaFailureProps } from "./media-failure.tsx";
import { reportFailure } from "./report-failure.ts";

/** Loaded only when a file fails to load. */
export const LazyMediaFailure = dynamic(
  () => import("./media-failure.tsx").then((module) => module.MediaFailure).catch(() => Unreachable),
  { ssr: false },
);

/** Without a connection, this code cannot be loaded either. */
function Unreachable({ title, address, onAddress }: MediaFailureProps) {
  const t = useWords("media");
  return (
    <p role="alert" className="rounded-panel border bg-sunken p-4 text-table text-muted">
      {t("titleCouldNotBeLoaded", { title })}{" "}
      <button type="button" className="text-accent underline" onClick={() => onAddress(address)}>
        {t("tryAgain")}
      </button>{" "}
      <a href={address} download className="text-accent underline">
        {t("download")}
      </a>
    </p>
  );
}

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
