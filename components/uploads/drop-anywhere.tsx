"use client";

import { UploadCloud } from "lucide-react";
import { useRef } from "react";
import { uploadMaxBytes } from "#contract/upload-constants.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { acceptOf } from "@/lib/browser/accepted-types";
import { formatByteLimit } from "@/lib/format";
import { betweenSentences } from "@/messages/marks";
import { useFilesFromPage } from "./use-files-from-page.ts";

interface DropAnywhereProps {
  onFiles: (files: File[]) => void;
  /** Texts that explain dropping on this page. */
  texts?: { rest: string; over: string; button: string };
  /** Accepted files other than media, for the file picker and in words. */
  also?: { accept: string; text: string };
}

/** Accepts files by button, by drop anywhere on the page, and by paste. */
export function DropAnywhere({ onFiles, texts, also }: DropAnywhereProps) {
  const t = useWords("uploads");
  const {
    rest,
    over: dropText,
    button,
  } = texts ?? {
    rest: t("dropOrPasteFiles"),
    over: t("dropToUpload"),
    button: t("chooseFiles"),
  };
  const input = useRef<HTMLInputElement>(null);
  const over = useFilesFromPage(onFiles);
  return (
    <div
      className={`mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-panel border border-dashed px-4 py-4 ${over ? "border-accent bg-accent-soft" : "border-strong bg-panel"}`}
    >
      <UploadCloud size={22} aria-hidden className="text-muted" />
      <p className="min-w-0 flex-1 basis-64">
        <span className="font-medium">{over ? dropText : rest}</span>
        <span className="block text-table text-muted">
          {t("imagesUpTo", {
            image: formatByteLimit(uploadMaxBytes.image),
            audio: formatByteLimit(uploadMaxBytes.audio),
            video: formatByteLimit(uploadMaxBytes.video),
          })}
          {betweenSentences(t.language)}
          {also?.text}
        </span>
      </p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={[acceptOf([]), ...(also ? [also.accept] : [])].join(",")}
        aria-label={t("filesToUpload")}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // Allows choosing the same file again.
          event.target.value = "";
        }}
      />
      <Button variant="primary" onClick={() => input.current?.click()}>
        {button}
      </Button>
    </div>
  );
}
