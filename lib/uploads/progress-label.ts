import type { Words } from "@/messages/words";
import { formatBytes, formatCountdown } from "../format.ts";

interface Progress {
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond?: number | null;
}

/** `Uploading 120 MB of 300 MB · 12 MB/s · 15 s left`. Rate and time are missing until they are known. */
export function progressLabel(
  { sentBytes, totalBytes, bytesPerSecond = null }: Progress,
  t: Words<"uploads">,
): string {
  const part = { part: formatBytes(sentBytes), size: formatBytes(totalBytes) };
  if (bytesPerSecond === null || bytesPerSecond <= 0) return t("uploadingPart", part);
  const leftMs = ((totalBytes - sentBytes) * 1000) / bytesPerSecond;
  return t("uploadingPartAt", {
    ...part,
    rate: formatBytes(bytesPerSecond),
    left: formatCountdown(leftMs, t.language),
  });
}
