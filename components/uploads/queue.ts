import type { Upload } from "#contract/upload.ts";
import type { UploadProgress } from "@/lib/browser/upload-file";
import type { GatewayFailure } from "@/lib/gateway/result";

export type QueueState = "waiting" | UploadProgress["phase"] | "done" | "failed" | "canceled";

/** One file on its way from this browser. */
export interface QueueItem {
  key: string;
  file: File;
  state: QueueState;
  sentBytes: number;
  failure: GatewayFailure | null;
  upload: Upload | null;
}

export type QueueAction =
  | { type: "added"; items: QueueItem[] }
  | { type: "progress"; key: string; progress: UploadProgress }
  | { type: "done"; key: string; upload: Upload }
  | { type: "failed"; key: string; failure: GatewayFailure }
  | { type: "again"; key: string }
  | { type: "canceled"; key: string }
  | { type: "dismissed"; key: string };

/** Files sent at the same time; more would only slow each other down. */
export const parallelUploads = 3;

export function isUnderway(state: QueueState): boolean {
  return state === "creating" || state === "sending" || state === "verifying";
}

export function queueReducer(items: QueueItem[], action: QueueAction): QueueItem[] {
  if (action.type === "added") return [...items, ...action.items];
  if (action.type === "dismissed") return items.filter((item) => item.key !== action.key);
  return items.map((item) => (item.key === action.key ? changed(item, action) : item));
}

function changed(item: QueueItem, action: Exclude<QueueAction, { type: "added" | "dismissed" }>): QueueItem {
  switch (action.type) {
    case "progress":
      return { ...item, state: action.progress.phase, sentBytes: action.progress.sentBytes };
    case "done":
      return { ...item, state: "done", upload: action.upload, sentBytes: item.file.size };
    case "failed":
      return {
        ...item,
        state: action.failure.code === "canceled" ? "canceled" : "failed",
        failure: action.failure,
      };
    case "canceled":
      return { ...item, state: "canceled" };
    case "again":
      return { ...item, state: "waiting", sentBytes: 0, failure: null };
  }
}

/** The waiting items that may start now. */
export function startable(items: QueueItem[]): QueueItem[] {
  const free = parallelUploads - items.filter((item) => isUnderway(item.state)).length;
  return items.filter((item) => item.state === "waiting").slice(0, Math.max(0, free));
}

/** One sentence on where the queue stands, for a live region: it changes only when a file ends. */
export function queueSummary(items: QueueItem[]): string {
  const count = (...states: QueueState[]) => items.filter((item) => states.includes(item.state)).length;
  const open = items.length - count("done", "failed", "canceled");
  const parts = [
    open > 0 && `${open} uploading`,
    count("done") > 0 && `${count("done")} done`,
    count("failed") > 0 && `${count("failed")} failed`,
    count("canceled") > 0 && `${count("canceled")} canceled`,
  ];
  return parts.filter(Boolean).join(", ");
}
