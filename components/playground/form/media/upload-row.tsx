"use client";

import { RotateCw, X } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import type { UploadProgress } from "@/lib/browser/upload-file";
import { formatBytes } from "@/lib/format";
import type { UploadTask } from "./use-uploads";

const phases: Record<UploadProgress["phase"], string> = {
  creating: "Preparing",
  comparing: "Comparing",
  sending: "Uploading",
  offline: "Waiting for the connection:",
  verifying: "Checking",
};

interface UploadRowProps {
  task: UploadTask;
  onCancel: () => void;
  onRetry: () => void;
}

/** A file that is being uploaded, or the reason why its upload failed. */
export function UploadRow({ task, onCancel, onRetry }: UploadRowProps) {
  const { file, progress, failure } = task;
  const share = progress && progress.totalBytes > 0 ? progress.sentBytes / progress.totalBytes : 0;
  return (
    <div
      className={`flex min-w-0 flex-col gap-1.5 rounded-control border p-2 ${failure ? "border-bad" : ""}`}
    >
      <div className="flex min-w-0 items-center gap-2 text-table">
        <span className="min-w-0 flex-1 truncate font-medium">{file.name || "Pasted file"}</span>
        <span className="tabular shrink-0 text-meta text-muted">
          {progress?.phase === "offline" && "Waiting for the connection · "}
          {progress?.phase === "sending" || progress?.phase === "offline"
            ? `${Math.round(share * 100)} % of ${formatBytes(file.size)}`
            : formatBytes(file.size)}
        </span>
        {failure && (
          <Button size="sm" icon={<RotateCw size={14} aria-hidden />} onClick={onRetry}>
            Try again
          </Button>
        )}
        <IconButton
          size="sm"
          label={failure ? `Dismiss ${file.name}` : `Cancel the upload of ${file.name}`}
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
            label={`${phases[progress?.phase ?? "creating"]} ${file.name}`}
          />
          {/* Announced in steps of a quarter: every percent would flood a screen reader. */}
          <span role="status" className="sr-only">
            {phases[progress?.phase ?? "creating"]} {Math.floor(share * 4) * 25} percent
          </span>
        </>
      )}
    </div>
  );
}
