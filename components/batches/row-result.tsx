"use client";

import { FileAudio, FileImage, FileVideo, type LucideIcon } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { BatchRow } from "#contract/batches.ts";
import { ConfirmationNeeded } from "@/components/attestations/confirmation-needed";
import { mediaFamily } from "@/components/media/media-family";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { Thumbnail } from "@/components/media/thumbnail";
import { shownFiles } from "@/components/predictions/outputs";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/lib/format";

const MediaPreview = dynamic(
  () => import("@/components/media/media-preview").then((module) => module.MediaPreview),
  { loading: () => null },
);

const icons: Record<string, LucideIcon> = { image: FileImage, audio: FileAudio, video: FileVideo };

/** More text than this is folded. */
const longText = 280;

/** What came of a row: text, files, or why there is nothing. A player is loaded when somebody wants it. */
export function RowResult({ row }: { row: BatchRow }) {
  const [open, setOpen] = useState(false);
  const text = row.text ?? (row.output && JSON.stringify(row.output));
  if (row.error)
    return (
      <p className="text-table wrap-anywhere">
        {row.error.message} <code className="text-meta text-muted">{row.error.code}</code>
      </p>
    );
  if (row.data_removed) return <span className="text-muted">deleted after 24 hours</span>;
  if (text) {
    const isLong = text.length > longText;
    return (
      <div>
        <p className="whitespace-pre-wrap wrap-anywhere">
          {isLong && !open ? `${text.slice(0, longText)}…` : text}
        </p>
        {isLong && (
          <Button size="sm" variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "Show less" : "Show all"}
          </Button>
        )}
      </div>
    );
  }
  if (row.gated && row.status === "succeeded") return <ConfirmationNeeded model={row.model} />;
  const files = shownFiles(row.data ?? []);
  if (files.length === 0) return null;
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        {files.map((file) => (
          <Thumbnail
            key={file.url}
            preview={file.preview_url}
            icon={icons[mediaFamily(file.content_type)] ?? FileImage}
          />
        ))}
        <Button size="sm" variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Hide" : `Show ${formatCount(files.length, "file")}`}
          <span className="sr-only"> of row {row.row}</span>
        </Button>
        {row.sandbox && <SandboxBadge />}
      </div>
      {open && (
        <div className="max-w-120 space-y-2">
          {files.map((file, index) => (
            <MediaPreview key={file.url} file={file} title={`Output ${index + 1} of row ${row.row}`} />
          ))}
        </div>
      )}
    </div>
  );
}
