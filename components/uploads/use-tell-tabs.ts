import { useEffect, useRef } from "react";
import { type ToldProgress, tellTabs } from "@/lib/browser/resumable/tabs";
import { isUnderway, type QueueItem } from "./queue.ts";

const everyMs = 1_000;

/** Tells the other tabs of this browser how far the files of this one are. */
export function useTellTabs(items: readonly QueueItem[]): void {
  const latest = useRef(items);
  latest.current = items;
  const isBusy = items.some(({ upload, state }) => upload !== null && isUnderway(state));
  useEffect(() => {
    if (!isBusy) return;
    const timer = setInterval(() => tellTabs(progressOf(latest.current)), everyMs);
    return () => clearInterval(timer);
  }, [isBusy]);
}

function progressOf(items: readonly QueueItem[]): ToldProgress[] {
  return items.flatMap(({ upload, state, file, sentBytes, bytesPerSecond }) =>
    upload && isUnderway(state) ? [{ id: upload.id, sentBytes, totalBytes: file.size, bytesPerSecond }] : [],
  );
}
