import { formatBytes, formatCountdown } from "../format.ts";

/** `Uploading 120 MB of 300 MB · 12 MB/s · 15 s left`. Rate and time are missing until they are known. */
export function progressLabel({
  sentBytes,
  totalBytes,
  bytesPerSecond = null,
}: {
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond?: number | null;
}): string {
  const words = [`Uploading ${formatBytes(sentBytes)} of ${formatBytes(totalBytes)}`];
  if (bytesPerSecond !== null && bytesPerSecond > 0) {
    const leftMs = ((totalBytes - sentBytes) * 1000) / bytesPerSecond;
    words.push(`${formatBytes(bytesPerSecond)}/s`, `${formatCountdown(leftMs)} left`);
  }
  return words.join(" · ");
}
