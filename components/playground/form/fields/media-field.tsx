"use client";

import { X } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import { type FieldView, fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { useFileTaker } from "../media/file-takers";
import { kindsOf, MediaSource } from "../media/media-source";
import { MediaValueRow } from "../media/media-value-row";
import { UploadRow } from "../media/upload-row";
import { useUploads } from "../media/use-uploads";

/** A single file. */
export const MediaField = fieldComponent<"media", string>(MediaControl);

function MediaControl({ field, value, onChange, ...rest }: FieldView<"media", string>) {
  const limits = { kinds: kindsOf(field.media), maxBytes: field.maxBytes };
  const { toast } = useToast();
  const isFilled = value !== undefined && value !== "";
  const uploads = useUploads(limits, (upload) => {
    onChange(upload.reference);
    if (isFilled)
      toast({
        title: `${field.title} replaced`,
        action: { label: "Undo", onClick: () => onChange(value) },
      });
  });
  useFileTaker(
    isFilled && !rest.disabled && uploads.tasks.length === 0
      ? { title: field.title, media: field.media, isFilled, multiple: false, take: uploads.start }
      : null,
  );
  return (
    <FieldFrame field={field} {...rest} group>
      {() => (
        <>
          {isFilled && (
            <MediaValueRow
              text={value}
              media={field.media}
              actions={
                <IconButton
                  label={`Remove ${field.title.toLowerCase()}`}
                  icon={<X size={16} aria-hidden />}
                  onClick={() => onChange(undefined)}
                />
              }
            />
          )}
          {uploads.tasks.map((task) => (
            <UploadRow
              key={task.id}
              task={task}
              onCancel={() => uploads.cancel(task)}
              onRetry={() => uploads.retry(task)}
            />
          ))}
          {!isFilled && uploads.tasks.length === 0 && (
            <MediaSource
              title={field.title}
              media={field.media}
              maxBytes={field.maxBytes}
              multiple={false}
              disabled={rest.disabled}
              invalid={rest.problem !== null}
              onFiles={uploads.start}
              onText={onChange}
            />
          )}
        </>
      )}
    </FieldFrame>
  );
}
