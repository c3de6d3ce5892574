"use client";

import { X } from "lucide-react";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import { FieldFrame, type FieldView, fieldComponent } from "../field-frame.tsx";
import { useIsExample } from "../form-context.tsx";
import { kindsOf, useFileTaker } from "../media/files-from-page.tsx";
import { MediaList, MediaPositions, MediaValueRow } from "../media/media-list.tsx";
import { MediaSource } from "../media/media-source.tsx";
import { UploadRow, useUploads } from "../media/upload-row.tsx";

/** A single file. */
export const MediaField = fieldComponent<"media", string>(MediaControl);

function MediaControl({ field, value, onChange, ...rest }: FieldView<"media", string>) {
  const t = useWords("inputForm");
  const limits = { kinds: kindsOf(field.media), maxBytes: field.maxBytes };
  const { toast } = useToast();
  const isExample = useIsExample([value ?? ""]);
  const isFilled = value !== undefined && value !== "" && !isExample;
  const uploads = useUploads(limits, (upload) => {
    onChange(upload.reference);
    if (isFilled)
      toast({
        title: t("titleReplaced", { title: field.title }),
        action: { label: t("undo"), onClick: () => onChange(value) },
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
          {(isFilled || isExample) && (
            <MediaValueRow
              text={value ?? ""}
              media={field.media}
              actions={
                <IconButton
                  label={t("removeName", { name: field.title.toLowerCase() })}
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

/** A list of files. If its length is fixed, each position has its own meaning. */
export const MediaListField = fieldComponent<"media-list", string[]>(MediaListControl);

function MediaListControl(view: FieldView<"media-list", string[]>) {
  const t = useWords("inputForm");
  const { field, value = [], onChange, pointer, ...rest } = view;
  const change = (next: string[]) => onChange(next.some((text) => text !== "") ? next : undefined);
  const [min, max] = [field.min, field.max];
  const filled = value.filter(Boolean).length;
  const room = max !== null && t(min === max ? "filledOfExactly" : "filledOfUpTo", { filled, max });
  return (
    <FieldFrame field={field} {...rest} group aside={room}>
      {() =>
        field.positions ? (
          <MediaPositions
            field={field}
            positions={field.positions}
            value={value}
            pointer={pointer}
            disabled={rest.disabled}
            onChange={change}
          />
        ) : (
          <MediaList
            field={field}
            value={value}
            pointer={pointer}
            invalid={rest.problem !== null}
            disabled={rest.disabled}
            onChange={change}
          />
        )
      }
    </FieldFrame>
  );
}
