"use client";

import { ArrowUpDown, X } from "lucide-react";
import { useRef } from "react";
import { Button, IconButton } from "@/components/ui/button";
import { fieldId } from "@/lib/schema-form/json";
import type { FieldOf } from "../field-component";
import { useProblem } from "../form-context";
import { kindsOf, MediaSource } from "./media-source";
import { MediaValueRow } from "./media-value-row";
import { UploadRow } from "./upload-row";
import { useUploads } from "./use-uploads";

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
          Swap
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
  const problem = useProblem(pointer);
  const limits = { kinds: kindsOf(field.media), maxBytes: field.maxBytes };
  const uploads = useUploads(limits, (upload) => onText(upload.reference));
  if (text !== "")
    return (
      <MediaValueRow
        id={fieldId(pointer)}
        text={text}
        media={field.media}
        caption={caption}
        problem={problem}
        actions={
          <IconButton
            label={`Remove ${caption}`}
            icon={<X size={16} aria-hidden />}
            onClick={() => onText("")}
          />
        }
      />
    );
  return (
    <div id={fieldId(pointer)} tabIndex={-1} className="flex min-w-0 flex-col gap-1">
      <p className="text-table font-medium">{caption}</p>
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
