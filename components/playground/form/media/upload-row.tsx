"use client";

import { useQueryClient } from "@tanstack/react-query";
import { RotateCw, X } from "lucide-react";
import { useContext, useEffect, useRef, useState } from "react";
import type { Upload } from "#contract/upload.ts";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { useUnloadWarning } from "@/components/ui/form/use-unload-warning";
import { Progress } from "@/components/ui/progress";
import type { FileLimits } from "@/lib/browser/file-type";
import { sendFile } from "@/lib/browser/send-file";
import type { UploadProgress } from "@/lib/browser/upload-file";
import { formatBytes } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";
import { FormContext } from "../form-context.tsx";

interface UploadTask {
  id: number;
  file: File;
  progress: UploadProgress | null;
  /** Why the upload failed, and how to continue. */
  failure: string | null;
}

interface UploadRowProps {
  task: UploadTask;
  onCancel: () => void;
  onRetry: () => void;
}

/** A file that is being uploaded, or the reason why its upload failed. */
export function UploadRow({ task, onCancel, onRetry }: UploadRowProps) {
  const t = useWords("inputForm");
  const { file, progress, failure } = task;
  const share = progress && progress.totalBytes > 0 ? progress.sentBytes / progress.totalBytes : 0;
  const phase = progress?.phase ?? "creating";
  const size = formatBytes(file.size);
  return (
    <div
      className={`flex min-w-0 flex-col gap-1.5 rounded-control border p-2 ${failure ? "border-bad" : ""}`}
    >
      <div className="flex min-w-0 items-center gap-2 text-table">
        <span className="min-w-0 flex-1 truncate font-medium">{file.name || t("pastedFile")}</span>
        <span className="tabular shrink-0 text-meta text-muted">
          {progress?.phase === "offline"
            ? t("waitingWithPart", { percent: Math.round(share * 100), size })
            : progress?.phase === "sending"
              ? t("partOfSize", { percent: Math.round(share * 100), size })
              : size}
        </span>
        {failure && (
          <Button size="sm" icon={<RotateCw size={14} aria-hidden />} onClick={onRetry}>
            {t("tryAgain")}
          </Button>
        )}
        <IconButton
          size="sm"
          label={
            failure ? t("dismissName", { name: file.name }) : t("cancelTheUploadOfName", { name: file.name })
          }
          icon={<X size={14} aria-hidden />}
          onClick={onCancel}
        />
      </div>
      {failure ? (
        <p role="alert" className="text-meta font-medium text-bad">
          {failure}
        </p>
      ) : (
        <>
          <Progress
            value={progress?.phase === "sending" ? share : null}
            label={t("progressOfName", { phase, name: file.name })}
          />
          {/* Announced in steps of a quarter: every percent would flood a screen reader. */}
          <span role="status" className="sr-only">
            {t("progressPercent", { phase, percent: Math.floor(share * 4) * 25 })}
          </span>
        </>
      )}
    </div>
  );
}

/**
 * The uploads of one field. A finished upload disappears. A failed one stays until it is retried or
 * dismissed.
 */
export function useUploads(limits: FileLimits, onUploaded: (upload: Upload) => void) {
  const [tasks, setTasks] = useState<UploadTask[]>([]);
  useUnloadWarning(tasks.some(({ failure }) => failure === null));
  const aborts = useRef(new Map<number, AbortController>());
  const nextId = useRef(0);
  const { onUploading, disabled } = useContext(FormContext);
  const queryClient = useQueryClient();
  // The field's files may change during the upload, so the latest handler is called.
  const latest = useRef(onUploaded);
  latest.current = onUploaded;
  // While the JSON is invalid, finished uploads wait, because the form's value would overwrite the JSON.
  const waits = useRef(disabled);
  waits.current = disabled;
  const arrived = useRef(new Map<number, () => void>());
  useEffect(() => {
    if (disabled) return;
    for (const take of arrived.current.values()) take();
    arrived.current.clear();
  }, [disabled]);

  useEffect(() => {
    const running = aborts.current;
    return () => {
      for (const abort of running.values()) abort.abort();
    };
  }, []);

  const update = (id: number, change: Partial<UploadTask>) =>
    setTasks((all) => all.map((task) => (task.id === id ? { ...task, ...change } : task)));
  const dismiss = (id: number) => setTasks((all) => all.filter((task) => task.id !== id));

  const run = async (id: number, file: File) => {
    const abort = new AbortController();
    aborts.current.set(id, abort);
    onUploading(1);
    try {
      const result = await sendFile(file, {
        limits,
        signal: abort.signal,
        onProgress: (progress) => update(id, { progress }),
      });
      if (result.ok) {
        queryClient.setQueryData(queryKeys.upload(result.data.id), result.data);
        const take = () => {
          dismiss(id);
          latest.current(result.data);
        };
        if (waits.current) arrived.current.set(id, take);
        else take();
      } else if (result.error.code === "canceled") dismiss(id);
      else {
        const words = import("@/lib/status/failure-words").then(({ fieldText }) => fieldText(result.error));
        update(id, { progress: null, failure: await words.catch(() => result.error.message) });
      }
    } finally {
      aborts.current.delete(id);
      onUploading(-1);
    }
  };

  return {
    tasks,
    start(files: readonly File[]) {
      for (const file of files) {
        nextId.current += 1;
        const id = nextId.current;
        setTasks((all) => [...all, { id, file, progress: null, failure: null }]);
        void run(id, file);
      }
    },
    retry(task: UploadTask) {
      update(task.id, { failure: null });
      void run(task.id, task.file);
    },
    cancel(task: UploadTask) {
      const abort = aborts.current.get(task.id);
      if (abort) abort.abort();
      else dismiss(task.id);
      arrived.current.delete(task.id);
    },
  };
}
