"use client";

import { FolderOpen, Link2, Mic, Upload as UploadIcon } from "lucide-react";
import dynamic from "next/dynamic";
import { type DragEvent, type KeyboardEvent, useContext, useRef, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { acceptOf } from "@/lib/browser/accepted-types";
import { formatByteLimit } from "@/lib/format";
import { mediaValueOf } from "@/lib/schema-form/media-value";
import type { Media } from "@/lib/schema-form/plan";
import { FormContext } from "../form-context.tsx";
import { kindsOf, useFileTaker } from "./files-from-page.tsx";

const UploadPicker = dynamic(() => import("./upload-picker.tsx").then((module) => module.UploadPicker), {
  ssr: false,
});
const Recorder = dynamic(() => import("./recorder.tsx").then((module) => module.Recorder), { ssr: false });

interface MediaSourceProps {
  /** Names the buttons, e.g. "First frame". */
  title: string;
  media: Media;
  maxBytes: number | null;
  multiple: boolean;
  disabled: boolean;
  invalid: boolean;
  onFiles: (files: File[]) => void;
  onText: (text: string) => void;
}

/** All ways to give a file: drop, paste, choose, pick an upload, record, or enter a URL. */
export function MediaSource(props: MediaSourceProps) {
  const t = useWords("inputForm");
  const { title, media, maxBytes, multiple, disabled, invalid, onFiles, onText } = props;
  const [open, setOpen] = useState<"picker" | "recorder" | "url" | null>(null);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (list: FileList | null | undefined) => {
    const files = [...(list ?? [])];
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!disabled) take(event.dataTransfer.files);
  };
  useFileTaker(disabled ? null : { title, media, isFilled: false, multiple, take: onFiles });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping and pasting are extras; the buttons do the same
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onPaste={(event) => {
        if (event.clipboardData.files.length === 0) return;
        event.preventDefault();
        take(event.clipboardData.files);
      }}
      className={`flex min-w-0 flex-col gap-2 rounded-control border border-dashed p-2 ${over ? "border-accent bg-sunken" : invalid ? "border-bad" : "border-strong"}`}
    >
      <div className="flex flex-wrap items-center gap-1.5">
        <Button
          size="sm"
          icon={<UploadIcon size={14} aria-hidden />}
          disabled={disabled}
          onClick={() => input.current?.click()}
          aria-label={multiple ? t("chooseFilesForTitle", { title }) : t("chooseAFileForTitle", { title })}
        >
          {multiple ? t("chooseFiles") : t("chooseAFile")}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          icon={<FolderOpen size={14} aria-hidden />}
          disabled={disabled}
          onClick={() => setOpen("picker")}
          aria-label={t("chooseAnUploadForTitle", { title })}
        >
          {t("chooseAnUpload")}
        </Button>
        {(media === "audio" || media === "any") && (
          <Button
            size="sm"
            variant="ghost"
            icon={<Mic size={14} aria-hidden />}
            disabled={disabled}
            onClick={() => setOpen("recorder")}
            aria-label={t("recordTitle", { title })}
          >
            {t("record")}
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          icon={<Link2 size={14} aria-hidden />}
          disabled={disabled}
          aria-expanded={open === "url"}
          onClick={() => setOpen(open === "url" ? null : "url")}
          aria-label={t("urlForTitle", { title })}
        >
          {t("url")}
        </Button>
        <p className="ml-1 min-w-0 text-meta text-muted">
          {multiple ? t("orDropSeveral", { media }) : t("orDropOne", { media })}
          {maxBytes !== null && t("atMostMaxbytes", { maxBytes: formatByteLimit(maxBytes) })}
        </p>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        accept={acceptOf(kindsOf(media))}
        aria-label={title}
        onChange={(event) => {
          take(event.target.files);
          event.target.value = "";
        }}
      />
      {open === "url" && (
        <UrlEntry
          title={title}
          onText={(text) => {
            setOpen(null);
            onText(text);
          }}
        />
      )}
      {open === "picker" && (
        <UploadPicker
          title={title}
          kinds={kindsOf(media)}
          onPick={(reference) => {
            setOpen(null);
            onText(reference);
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === "recorder" && (
        <Recorder
          onRecorded={(file) => {
            setOpen(null);
            onFiles([file]);
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}

const urlStart = "https://…";

/** An https URL, the id of an upload or a data URI, typed or pasted. */
function UrlEntry({ title, onText }: { title: string; onText: (text: string) => void }) {
  const t = useWords("inputForm");
  const { baseUrl } = useContext(FormContext);
  const [text, setText] = useState("");
  const [refused, setRefused] = useState(false);
  const use = () => {
    const wanted = text.trim();
    if (mediaValueOf(wanted, baseUrl).source === "other") setRefused(true);
    else onText(wanted);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    use();
  };
  return (
    // Not an InputField, because the button is beside its input.
    <Field
      label={t("urlForTitle", { title: title.toLowerCase() })}
      error={refused && t("enterAUrlThatStarts")}
    >
      {(aria) => (
        <div className="flex gap-1.5">
          <Input
            {...aria}
            value={text}
            autoFocus
            inputMode="url"
            autoComplete="off"
            placeholder={urlStart}
            onChange={(event) => {
              setText(event.target.value);
              setRefused(false);
            }}
            onKeyDown={onKeyDown}
          />
          <Button onClick={use}>{t("use")}</Button>
        </div>
      )}
    </Field>
  );
}
