"use client";

import { UploadCloud } from "lucide-react";
import { useRef } from "react";
import { uploadMaxBytes } from "#contract/upload-constants.ts";
import { Button } from "@/components/ui/button";
import { acceptOf } from "@/lib/browser/accepted-types";
import { formatByteLimit } from "@/lib/format";
import { useFilesFromPage } from "./use-files-from-page.ts";

interface DropAnywhereProps {
  onFiles: (files: File[]) => void;
  /** Texts that explain dropping on this page. */
  texts?: { rest: string; over: string; button: string };
  /** Accepted files other than media, for the file picker and in words. */
  also?: { accept: string; text: string };
}

const uploadTexts = {
  rest: "Drop or paste files anywhere on this page",
  over: "Drop to upload",
  button: "Choose files",
};

/** Accepts files by button, by drop anywhere on the page, and by paste. */
export function DropAnywhere({ onFiles, texts = uploadTexts, also }: DropAnywhereProps) {
  const input = useRef<HTMLInputElement>(null);
  const over = useFilesFromPage(onFiles);
  return (
    <div
      className={`mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-panel border border-dashed px-4 py-4 ${over ? "border-accent bg-accent-soft" : "border-strong bg-panel"}`}
    >
      <UploadCloud size={22} aria-hidden className="text-muted" />
      <p className="min-w-0 flex-1 basis-64">
        <span className="font-medium">{over ? texts.over : texts.rest}</span>
        <span className="block text-table text-muted">
          Images up to {formatByteLimit(uploadMaxBytes.image)}, audio up to{" "}
          {formatByteLimit(uploadMaxBytes.audio)}, video up to {formatByteLimit(uploadMaxBytes.video)}.{" "}
          {also?.text}
        </span>
      </p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={[acceptOf([]), ...(also ? [also.accept] : [])].join(",")}
        aria-label="Files to upload"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // Allows choosing the same file again.
          event.target.value = "";
        }}
      />
      <Button variant="primary" onClick={() => input.current?.click()}>
        {texts.button}
      </Button>
    </div>
  );
}
