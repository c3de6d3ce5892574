"use client";

import { Plus, X } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/form/input";
import type { EntryDraft, MediaKind } from "./entry-draft.ts";

interface MediaLinesProps {
  media: EntryDraft["media"];
  onChange: (media: EntryDraft["media"]) => void;
}

/** The fields that hold files, one per line. */
export function MediaLines({ media, onChange }: MediaLinesProps) {
  const change = (index: number, part: Partial<EntryDraft["media"][number]>) =>
    onChange(media.map((line, at) => (at === index ? { ...line, ...part } : line)));
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-table font-medium">Files</legend>
      <p className="mb-2 text-meta text-muted">
        Fields that accept uploads. <code>frames/*</code> is each item of a list.
      </p>
      <ul className="space-y-2">
        {media.map(({ path, kind }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity.
          <li key={index} className="flex gap-2">
            <Input
              aria-label={`Field of file ${index + 1}`}
              className="min-w-0 flex-1 font-mono"
              spellCheck={false}
              value={path}
              onChange={(event) => change(index, { path: event.currentTarget.value })}
            />
            <Select
              aria-label={`Kind of file ${index + 1}`}
              className="w-28! flex-none"
              value={kind}
              onChange={(event) => change(index, { kind: event.currentTarget.value as MediaKind })}
            >
              <option value="image">image</option>
              <option value="audio">audio</option>
              <option value="video">video</option>
              <option value="any">any</option>
            </Select>
            <IconButton
              label={`Remove file ${index + 1}`}
              icon={<X size={16} aria-hidden />}
              onClick={() => onChange(media.filter((_, at) => at !== index))}
            />
          </li>
        ))}
      </ul>
      <Button
        size="sm"
        className={media.length > 0 ? "mt-2" : undefined}
        icon={<Plus size={14} aria-hidden />}
        onClick={() => onChange([...media, { path: "", kind: "image" }])}
      >
        Add a file field
      </Button>
    </fieldset>
  );
}
