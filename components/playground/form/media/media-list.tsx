"use client";

import { ArrowDown, ArrowUp, X } from "lucide-react";
import { useContext, useRef } from "react";
import { IconButton } from "@/components/ui/button";
import { fieldId } from "@/lib/schema-form/json";
import { moved } from "@/lib/schema-form/messages";
import type { FieldOf } from "../field-component";
import { FormContext } from "../form-context";
import { kindsOf, MediaSource } from "./media-source";
import { MediaValueRow } from "./media-value-row";
import { UploadRow } from "./upload-row";
import { useUploads } from "./use-uploads";

interface MediaListProps {
  field: Pick<FieldOf<"media-list">, "title" | "media" | "maxBytes" | "max">;
  value: string[];
  pointer: string;
  invalid: boolean;
  disabled: boolean;
  onChange: (value: string[]) => void;
}

/** A list of files. Buttons change their order, and new files are added at the end. */
export function MediaList({ field, value, pointer, invalid, disabled, onChange }: MediaListProps) {
  const { problems } = useContext(FormContext);
  const latest = useRef(value);
  latest.current = value;
  const add = (text: string) => {
    // Two uploads may end at the same time, before the form has rendered the first.
    latest.current = [...latest.current, text];
    onChange(latest.current);
  };
  const limits = { kinds: kindsOf(field.media), maxBytes: field.maxBytes };
  const uploads = useUploads(limits, (upload) => add(upload.reference));
  const room =
    field.max === null ? Number.POSITIVE_INFINITY : field.max - value.length - uploads.tasks.length;
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
                    label={`Move ${nameOf(index)} up`}
                    icon={<ArrowUp size={14} aria-hidden />}
                    onClick={() => onChange(moved(value, index, -1))}
                  />
                )}
                {index < value.length - 1 && (
                  <IconButton
                    size="sm"
                    label={`Move ${nameOf(index)} down`}
                    icon={<ArrowDown size={14} aria-hidden />}
                    onClick={() => onChange(moved(value, index, 1))}
                  />
                )}
                <IconButton
                  size="sm"
                  label={`Remove ${nameOf(index)}`}
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
