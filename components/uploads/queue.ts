import type { Upload } from "#contract/upload.ts";
import { partsFromBytes } from "#contract/upload-constants.ts";
import type { UploadProgress } from "@/lib/browser/upload-file";
import type { GatewayFailure } from "@/lib/gateway/result";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

export type QueueState = "waiting" | UploadProgress["phase"] | "paused" | "done" | "failed" | "canceled";

/** A file being uploaded from this browser. */
export interface QueueItem {
  key: string;
  file: File;
  state: QueueState;
  sentBytes: number;
  /** The speed of a file that is sent in parts. Null while unknown, and for other files. */
  bytesPerSecond: number | null;
  failure: GatewayFailure | null;
  /** Set when the upload is created. */
  upload: Upload | null;
  /** The upload to continue with a file that the user chose again. */
  continues: Upload | null;
}

export function newItem(file: File, continues: Upload | null = null): QueueItem {
  return {
    key: crypto.randomUUID?.() ?? `${file.name} ${performance.now()}`,
    file,
    state: "waiting",
    sentBytes: 0,
    bytesPerSecond: null,
    failure: null,
    upload: null,
    continues,
  };
}

export type QueueAction =
  | { type: "added"; items: QueueItem[] }
  | { type: "progress"; key: string; progress: UploadProgress }
  | { type: "created"; key: string; upload: Upload }
  | { type: "done"; key: string; upload: Upload }
  | { type: "failed"; key: string; failure: GatewayFailure }
  | { type: "again"; key: string }
  | { type: "paused"; key: string }
  | { type: "canceled"; key: string }
  | { type: "dismissed"; key: string };

/** Files that are sent at the same time. More would only slow each other down. */
export const parallelUploads = 3;

export function isUnderway(state: QueueState): boolean {
  return ["creating", "comparing", "sending", "offline", "verifying"].includes(state);
}

/** A small file is sent in one request, which cannot be continued. */
export function isSentInParts(file: File): boolean {
  return file.size > partsFromBytes;
}

export function canPause({ file, state }: QueueItem): boolean {
  return isSentInParts(file) && (state === "waiting" || state === "sending" || state === "offline");
}

export function queueReducer(items: QueueItem[], action: QueueAction): QueueItem[] {
  if (action.type === "added") return [...items, ...action.items];
  if (action.type === "dismissed") return items.filter((item) => item.key !== action.key);
  return items.map((item) => (item.key === action.key ? changed(item, action) : item));
}

function changed(item: QueueItem, action: Exclude<QueueAction, { type: "added" | "dismissed" }>): QueueItem {
  switch (action.type) {
    case "progress":
      return {
        ...item,
        state: action.progress.phase,
        sentBytes: action.progress.sentBytes,
        bytesPerSecond: action.progress.bytesPerSecond ?? null,
      };
    case "created":
      return { ...item, upload: action.upload };
    case "done":
      return { ...item, state: "done", upload: action.upload, sentBytes: item.file.size };
    case "failed":
      return {
        ...item,
        state: stateAfter(action.failure),
        failure: action.failure,
      };
    case "paused":
      return { ...item, state: "paused" };
    case "canceled":
      return { ...item, state: "canceled" };
    case "again":
      return { ...item, state: "waiting", failure: null };
  }
}

function stateAfter({ code }: GatewayFailure): QueueState {
  return code === "canceled" || code === "paused" ? code : "failed";
}

/** The waiting items that may start now. */
export function startable(items: QueueItem[]): QueueItem[] {
  const free = parallelUploads - items.filter((item) => isUnderway(item.state)).length;
  return items.filter((item) => item.state === "waiting").slice(0, Math.max(0, free));
}

/** One sentence about the queue for a live region. It changes only when a file ends. */
export function queueSummary(items: QueueItem[], t: Words<"uploads">): string {
  const count = (...states: QueueState[]) => items.filter((item) => states.includes(item.state)).length;
  const open = items.length - count("done", "failed", "canceled", "paused", "offline");
  const parts = [
    open > 0 && t("countUploading", { count: open }),
    count("offline") > 0 && t("countWaiting", { count: count("offline") }),
    count("paused") > 0 && t("countPaused", { count: count("paused") }),
    count("done") > 0 && t("countDone", { count: count("done") }),
    count("failed") > 0 && t("countFailed", { count: count("failed") }),
    count("canceled") > 0 && t("countCanceled", { count: count("canceled") }),
  ];
  return listText(t.language, parts, "plain");
}
