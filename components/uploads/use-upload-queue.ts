"use client";

import { useEffect, useReducer, useRef } from "react";
import type { Upload } from "#contract/upload.ts";
import { useUnloadWarning } from "@/components/ui/form/use-unload-warning";
import { dropFile, shareProgress, type TabProgress } from "@/lib/browser/resumable/unfinished";
import { sender, sendFile } from "@/lib/browser/send-file";
import { fieldText } from "@/lib/status/failure-words";
import { isSentInParts, isUnderway, newItem, type QueueItem, queueReducer, startable } from "./queue.ts";

/** A verified file stays in the queue for this long. After that, the list below the queue shows it. */
const doneShownMs = 4_000;

/** Sends files, a few at a time. Each can be paused, canceled, sent again and dismissed. */
export function useUploadQueue(onVerified: (upload: Upload) => void) {
  const [items, dispatch] = useReducer(queueReducer, []);
  useUnloadWarning(items.some(({ state }) => state === "waiting" || isUnderway(state)));
  useShareProgress(items);
  const running = useRef(new Map<string, { file: File; controller: AbortController }>());
  const latest = useRef(onVerified);
  useEffect(() => {
    latest.current = onVerified;
  });

  useEffect(() => {
    for (const { key, file, continues } of startable(items)) {
      if (running.current.has(key)) continue;
      const controller = new AbortController();
      running.current.set(key, { file, controller });
      void sendFile(file, {
        signal: controller.signal,
        ...(continues && { continues }),
        onCreated: (upload) => dispatch({ type: "created", key, upload }),
        onProgress: (progress) => dispatch({ type: "progress", key, progress }),
      }).then(async (result) => {
        running.current.delete(key);
        if (result.ok) {
          dispatch({ type: "done", key, upload: result.data });
          latest.current(result.data);
          setTimeout(() => dispatch({ type: "dismissed", key }), doneShownMs);
        } else {
          const message = await fieldText(result.error);
          dispatch({ type: "failed", key, failure: { ...result.error, message } });
        }
      });
    }
  }, [items]);

  // Leaving the page pauses uploads in parts and ends the others, which the gateway then removes.
  useEffect(() => {
    const transfers = running.current;
    return () => {
      for (const { file, controller } of transfers.values())
        if (isSentInParts(file)) void pause(controller);
        else controller.abort();
    };
  }, []);

  return {
    items,
    add: (files: Iterable<File>) =>
      dispatch({ type: "added", items: Array.from(files, (file) => newItem(file)) }),
    /**
     * Continues an upload with a file that the user chose again or that is still there, if it is the same
     * file.
     */
    continueUpload: (upload: Upload, file: File) =>
      dispatch({ type: "added", items: [newItem(file, upload)] }),
    pause: (key: string) => {
      const transfer = running.current.get(key);
      if (transfer) void pause(transfer.controller);
      else dispatch({ type: "paused", key });
    },
    cancel: (key: string) => {
      const transfer = running.current.get(key);
      if (transfer) return transfer.controller.abort();
      const upload = items.find((item) => item.key === key)?.upload;
      if (upload) void sender().then(({ discardUpload }) => discardUpload(upload.id));
      dispatch({ type: "canceled", key });
    },
    again: (key: string) => dispatch({ type: "again", key }),
    dismiss: (key: string) => {
      const item = items.find((one) => one.key === key);
      // A dismissed upload does not start again automatically.
      if (item?.upload && item.state !== "done") dropFile(item.upload.id);
      dispatch({ type: "dismissed", key });
    },
  };
}

async function pause(controller: AbortController): Promise<void> {
  const { pausing } = await sender();
  controller.abort(pausing);
}

const everyMs = 1_000;

/** Sends the progress of this tab's files to the other tabs of this browser. */
function useShareProgress(items: readonly QueueItem[]): void {
  const latest = useRef(items);
  latest.current = items;
  const isBusy = items.some(({ upload, state }) => upload !== null && isUnderway(state));
  useEffect(() => {
    if (!isBusy) return;
    const timer = setInterval(() => shareProgress(progressOf(latest.current)), everyMs);
    return () => clearInterval(timer);
  }, [isBusy]);
}

function progressOf(items: readonly QueueItem[]): TabProgress[] {
  return items.flatMap(({ upload, state, file, sentBytes, bytesPerSecond }) =>
    upload && isUnderway(state) ? [{ id: upload.id, sentBytes, totalBytes: file.size, bytesPerSecond }] : [],
  );
}
