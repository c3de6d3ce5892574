"use client";

import { useEffect, useReducer, useRef } from "react";
import type { Upload } from "#contract/upload.ts";
import { useUnloadWarning } from "@/components/ui/form/use-unload-warning";
import type { UploadOptions } from "@/lib/browser/upload-file";
import { type GatewayResult, localFailure } from "@/lib/gateway/result";
import { isUnderway, queueReducer, startable } from "./queue.ts";

/** A verified file stays in the queue this long; then the list below has it. */
const doneShownMs = 4_000;

/** Sends files a few at a time; each can be canceled, sent again and dismissed on its own. */
export function useUploadQueue(onVerified: (upload: Upload) => void) {
  const [items, dispatch] = useReducer(queueReducer, []);
  useUnloadWarning(items.some(({ state }) => state === "waiting" || isUnderway(state)));
  const running = useRef(new Map<string, AbortController>());
  const told = useRef(onVerified);
  useEffect(() => {
    told.current = onVerified;
  });

  useEffect(() => {
    for (const { key, file } of startable(items)) {
      if (running.current.has(key)) continue;
      const controller = new AbortController();
      running.current.set(key, controller);
      void send(file, {
        signal: controller.signal,
        onProgress: (progress) => dispatch({ type: "progress", key, progress }),
      }).then((result) => {
        running.current.delete(key);
        if (result.ok) {
          dispatch({ type: "done", key, upload: result.data });
          told.current(result.data);
          setTimeout(() => dispatch({ type: "dismissed", key }), doneShownMs);
        } else dispatch({ type: "failed", key, failure: result.error });
      });
    }
  }, [items]);

  // Leaving the page ends what is on its way; the gateway forgets what was only begun.
  useEffect(() => {
    const controllers = running.current;
    return () => {
      for (const controller of controllers.values()) controller.abort();
    };
  }, []);

  return {
    items,
    add: (files: Iterable<File>) =>
      dispatch({
        type: "added",
        items: Array.from(files, (file) => ({
          key: crypto.randomUUID?.() ?? `${file.name} ${performance.now()}`,
          file,
          state: "waiting",
          sentBytes: 0,
          failure: null,
          upload: null,
        })),
      }),
    cancel: (key: string) => {
      const controller = running.current.get(key);
      if (controller) controller.abort();
      else dispatch({ type: "canceled", key });
    },
    again: (key: string) => dispatch({ type: "again", key }),
    dismiss: (key: string) => dispatch({ type: "dismissed", key }),
  };
}

/** The code of sending is fetched with the first file. */
async function send(file: File, options: UploadOptions): Promise<GatewayResult<Upload>> {
  try {
    const { uploadFile } = await import("@/lib/browser/upload-file");
    return await uploadFile(file, options);
  } catch {
    return {
      ok: false,
      error: localFailure("offline", "The file could not be uploaded. Check your connection and try again."),
    };
  }
}
