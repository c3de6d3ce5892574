"use client";

import { ArrowDown, ArrowUp, ArrowUpDown, X } from "lucide-react";
import { type ReactNode, useContext, useRef } from "react";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { moved } from "@/lib/schema-form/messages";
import type { Media } from "@/lib/schema-form/plan";
import { fieldId } from "@/lib/schema-form/pointers";
import type { FieldOf } from "../field-frame.tsx";
import { FormContext, useIsExample, useProblem } from "../form-context.tsx";
import { kindsOf } from "./files-from-page.tsx";
import { MediaSource } from "./media-source.tsx";
import { MediaThumb, useMediaDescription } from "./media-thumb.tsx";
import { UploadRow, useUploads } from "./upload-row.tsx";

interface MediaListProps {
  field: Pick<FieldOf<"media-list">, "title" | "media" | "maxBytes" | "max">;
  value: string[];
  pointer: string;
  invalid: boolean;
  disabled: boolean;
  onChange: (value: string[]) => void;
}

/**
 * A list of files. Buttons change their order, and new files are added at the end. The first one replaces the
 * example's files.
 */
export function MediaList({ field, value, pointer, invalid, disabled, onChange }: MediaListProps) {
  const t = useWords("inputForm");
  const { problems } = useContext(FormContext);
  const isExample = useIsExample(value);
  const chosen = isExample ? [] : value;
  const latest = useRef(chosen);
  latest.current = chosen;
  const add = (text: string) => {
    // Two uploads may end at the same time, before the form has rendered the first.
    latest.current = [...latest.current, text];
    onChange(latest.current);
  };
  const limits = { kinds: kindsOf(field.media), maxBytes: field.maxBytes };
  const uploads = useUploads(limits, (upload) => add(upload.reference));
  const room =
    field.max === null ? Number.POSITIVE_INFINITY : field.max - chosen.length - uploads.tasks.length;
  const nameOf = (index: number) => `${field.title.toLowerCase()} ${index + 1}`;
  return (
    <>
      {value.map((text, index) => {
        const path = `${pointer}/${index}`;
        return (
          <MediaValueRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may stand twice
            key={`${index} ${text.slice(-40)}`}
            id={fieldId(path)}
            text={text}
            media={field.media}
            problem={problems.find((problem) => problem.path === path)?.message ?? null}
            actions={
              <>
                {index > 0 && (
                  <IconButton
                    size="sm"
                    label={t("moveNameUp", { name: nameOf(index) })}
                    icon={<ArrowUp size={14} aria-hidden />}
                    onClick={() => onChange(moved(value, index, -1))}
                  />
                )}
                {index < value.length - 1 && (
                  <IconButton
                    size="sm"
                    label={t("moveNameDown", { name: nameOf(index) })}
                    icon={<ArrowDown size={14} aria-hidden />}
                    onClick={() => onChange(moved(value, index, 1))}
                  />
                )}
                <IconButton
                  size="sm"
                  label={t("removeName", { name: nameOf(index) })}
                  icon={<X size={14} aria-hidden />}
                  onClick={() => onChange(value.filter((_, at) => at !== index))}
                />
              </>
            }
          />
        );
      })}
      {uploads.tasks.map((task) => (
        <UploadRow
          key={task.id}
          task={task}
          onCancel={() => uploads.cancel(task)}
          onRetry={() => uploads.retry(task)}
        />
      ))}
      {room > 0 && (
        <MediaSource
          title={field.title}
          media={field.media}
          maxBytes={field.maxBytes}
          multiple={room > 1}
          disabled={disabled}
          invalid={invalid}
          onFiles={(files) => uploads.start(files.slice(0, room))}
          onText={add}
        />
      )}
    </>
  );
}

interface MediaValueRowProps {
  text: string;
  media: Media;
  /** Shown before the file's name, if the position has a meaning. */
  caption?: string;
  problem?: string | null;
  actions: ReactNode;
  id?: string;
}

/** A chosen file with its details and actions. */
export function MediaValueRow({ text, media, caption, problem, actions, id }: MediaValueRowProps) {
  const described = useMediaDescription(text, media);
  const fault = problem ?? described.problem;
  return (
    <div
      id={id}
      tabIndex={-1}
      className={`flex min-w-0 items-center gap-3 rounded-control border p-2 ${fault ? "border-bad" : ""}`}
    >
      <MediaThumb family={described.family} preview={described.preview} label={described.label} />
      <div className="min-w-0 flex-1">
        {caption && <p className="text-meta text-muted">{caption}</p>}
        <p className="line-clamp-2 text-table font-medium wrap-anywhere" title={described.label}>
          {described.label}
        </p>
        {described.detail && <p className="truncate text-meta text-muted">{described.detail}</p>}
        {described.family === "audio" && described.src && (
          // biome-ignore lint/a11y/useMediaCaption: the user's own sample
          <audio
            controls
            src={described.src}
            preload="none"
            aria-label={described.label}
            className="mt-1 h-8 w-full max-w-xs"
          />
        )}
        {fault && <p className="text-meta font-medium text-bad">{fault}</p>}
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-0.5">{actions}</div>
    </div>
  );
}

interface MediaPositionsProps {
  field: FieldOf<"media-list">;
  positions: string[];
  value: string[];
  pointer: string;
  disabled: boolean;
  onChange: (value: string[]) => void;
}

/** A fixed number of files, each with its own meaning. */
export function MediaPositions({
  field,
  positions,
  value,
  pointer,
  disabled,
  onChange,
}: MediaPositionsProps) {
  const t = useWords("inputForm");
  const latest = useRef(value);
  latest.current = value;
  const put = (index: number, text: string) => {
    latest.current = positions.map((_, at) => (at === index ? text : (latest.current[at] ?? "")));
    onChange(latest.current);
  };
  return (
    <>
      {positions.map((caption, index) => (
        <Slot
          key={caption}
          field={field}
          caption={`${index + 1}. ${caption}`}
          text={value[index] ?? ""}
          pointer={`${pointer}/${index}`}
          disabled={disabled}
          onText={(text) => put(index, text)}
        />
      ))}
      {positions.length === 2 && (
        <Button
          size="sm"
          className="self-start"
          icon={<ArrowUpDown size={14} aria-hidden />}
          disabled={disabled || value.every((text) => text === "")}
          onClick={() => onChange([value[1] ?? "", value[0] ?? ""])}
        >
          {t("swap")}
        </Button>
      )}
    </>
  );
}

interface SlotProps {
  field: FieldOf<"media-list">;
  caption: string;
  text: string;
  pointer: string;
  disabled: boolean;
  onText: (text: string) => void;
}

function Slot({ field, caption, text, pointer, disabled, onText }: SlotProps) {
  const t = useWords("inputForm");
  const problem = useProblem(pointer);
  const limits = { kinds: kindsOf(field.media), maxBytes: field.maxBytes };
  const uploads = useUploads(limits, (upload) => onText(upload.reference));
  const isExample = useIsExample([text]);
  const row = text !== "" && (
    <MediaValueRow
      {...(!isExample && { id: fieldId(pointer) })}
      text={text}
      media={field.media}
      caption={caption}
      problem={isExample ? null : problem}
      actions={
        <IconButton
          label={t("removeName", { name: caption })}
          icon={<X size={16} aria-hidden />}
          onClick={() => onText("")}
        />
      }
    />
  );
  if (row && !isExample) return row;
  return (
    <div id={fieldId(pointer)} tabIndex={-1} className="flex min-w-0 flex-col gap-1">
      {row || <p className="text-table font-medium">{caption}</p>}
      {uploads.tasks.map((task) => (
        <UploadRow
          key={task.id}
          task={task}
          onCancel={() => uploads.cancel(task)}
          onRetry={() => uploads.retry(task)}
        />
      ))}
      {uploads.tasks.length === 0 && (
        <MediaSource
          title={caption}
          media={field.media}
          maxBytes={field.maxBytes}
          multiple={false}
          disabled={disabled}
          invalid={problem !== null}
          onFiles={uploads.start}
          onText={onText}
        />
      )}
      {problem && <p className="text-meta font-medium text-bad">{problem}</p>}
    </div>
  );
}
