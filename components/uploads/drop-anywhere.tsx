"use client";

import { UploadCloud } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { uploadMaxBytes } from "#contract/upload-constants.ts";
import { Button } from "@/components/ui/button";
import { acceptOf } from "@/lib/browser/accepted-types";
import { formatByteLimit } from "@/lib/format";

interface DropAnywhereProps {
  onFiles: (files: File[]) => void;
  /** What dropping does on this page. */
  words?: { rest: string; over: string; button: string };
}

const uploadWords = {
  rest: "Drop or paste files anywhere on this page",
  over: "Drop to upload",
  button: "Choose files",
};

/** Takes files by button, by drop anywhere on the page, and by paste. */
export function DropAnywhere({ onFiles, words = uploadWords }: DropAnywhereProps) {
  const input = useRef<HTMLInputElement>(null);
  const over = useFilesFromPage(onFiles);
  return (
    <div
      className={`mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-panel border border-dashed px-4 py-4 ${over ? "border-accent bg-accent-soft" : "border-strong bg-panel"}`}
    >
      <UploadCloud size={22} aria-hidden className="text-muted" />
      <p className="min-w-0 flex-1 basis-64">
        <span className="font-medium">{over ? words.over : words.rest}</span>
        <span className="block text-table text-muted">
          Images up to {formatByteLimit(uploadMaxBytes.image)}, audio up to{" "}
          {formatByteLimit(uploadMaxBytes.audio)}, video up to {formatByteLimit(uploadMaxBytes.video)}.
        </span>
      </p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={acceptOf([])}
        aria-label="Files to upload"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file may be chosen again.
          event.target.value = "";
        }}
      />
      <Button variant="primary" onClick={() => input.current?.click()}>
        {words.button}
      </Button>
    </div>
  );
}

/** Listens to drops and pastes on the whole page; true while files hang over it. */
function useFilesFromPage(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const take = useRef(onFiles);
  useEffect(() => {
    take.current = onFiles;
  });

  useEffect(() => {
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const onDragOver = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const onDrop = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(false);
      take.current([...(event.dataTransfer?.files ?? [])]);
    };
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take.current(files);
    };
    document.addEventListener("dragover", onDragOver);
    document.addEventListener("dragleave", onDragLeave);
    document.addEventListener("drop", onDrop);
    document.addEventListener("paste", onPaste);
    return () => {
      document.removeEventListener("dragover", onDragOver);
      document.removeEventListener("dragleave", onDragLeave);
      document.removeEventListener("drop", onDrop);
      document.removeEventListener("paste", onPaste);
    };
  }, []);

  return over;
}
