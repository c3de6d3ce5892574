import dynamic from "next/dynamic";
import type { MediaFailureProps } from "./media-failure.tsx";

/** Loaded only when a file fails to load. */
export const LazyMediaFailure = dynamic(
  () => import("./media-failure.tsx").then((module) => module.MediaFailure).catch(() => Unreachable),
  { ssr: false },
);

/** Without a connection this code cannot be loaded either. */
function Unreachable({ title, address, onAddress }: MediaFailureProps) {
  return (
    <p role="alert" className="rounded-panel border bg-sunken p-4 text-table text-muted">
      {title} could not be loaded. Check your connection.{" "}
      <button type="button" className="text-accent underline" onClick={() => onAddress(address)}>
        Try again
      </button>{" "}
      <a href={address} download className="text-accent underline">
        Download
      </a>
    </p>
  );
}
