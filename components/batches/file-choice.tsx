"use client";

import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { type BatchDraft, draftFromFile } from "@/lib/batches/draft";
import { formatBytes } from "@/lib/format";

/** The limit of a request, less some room for the rest. */
const maxBytes = 15_000_000;

interface FileChoiceProps {
  file: BatchDraft["file"];
  onChoose: (draft: BatchDraft) => void;
}

/** A CSV or JSONL file, chosen or dropped; in UTF-8, or UTF-16 as saved by Excel. */
export function FileChoice({ file, onChoose }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    if (chosen.size > maxBytes)
      return setProblem(`${chosen.name} is larger than ${formatBytes(maxBytes)}. Split it.`);
    const text = decoded(await chosen.arrayBuffer());
    setProblem(text === null ? `${chosen.name} is not UTF-8 text. Save it as CSV UTF-8.` : null);
    if (text !== null) onChoose(draftFromFile(chosen.name, text));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button does the same.
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer.files[0]);
      }}
      className={`flex flex-wrap items-center gap-2 rounded-control ${over ? "outline-2 outline-accent" : ""}`}
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.jsonl,.ndjson,text/csv"
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <Button icon={<FileUp size={16} aria-hidden />} onClick={() => input.current?.click()}>
        Choose CSV or JSONL file
      </Button>
      <span className="text-table text-muted">
        {file
          ? `Loaded from ${file.name}. Edits here do not change the file.`
          : `or drop it here, up to ${formatBytes(maxBytes)}`}
      </span>
      {problem && (
        <p role="alert" className="basis-full text-table font-medium text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}

function decoded(bytes: ArrayBuffer): string | null {
  const [first, second] = new Uint8Array(bytes);
  try {
    return new TextDecoder(first === 0xff && second === 0xfe ? "utf-16le" : "utf-8", { fatal: true }).decode(
      bytes,
    );
  } catch {
    return null;
  }
}
