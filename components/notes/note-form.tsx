"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { noteLimits } from "#contract/note-constants.ts";
import type { Note } from "#contract/notes.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { TextareaField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";

interface NoteFormProps {
  text?: string;
  submitLabel: string;
  save: (text: string) => ActionResult<Note>;
  onSaved: () => void;
  onCancel: () => void;
}

/** Adds or edits a note. */
export function NoteForm({ text = "", submitLabel, save, onSaved, onCancel }: NoteFormProps) {
  const t = useWords("notes");
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, failure, send } = useSend();
  useEffect(() => field.current?.focus(), []);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const written = field.current?.value.trim() ?? "";
    setProblem(written === "" ? t("writeFirst") : null);
    if (written === "") return;
    if ((await send(() => answerOf(save(written)))).ok) onSaved();
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3 rounded-panel border bg-panel p-4">
      {failure && <ErrorPanel error={failure} />}
      <TextareaField
        label={t("note")}
        hint={t("hint", { count: noteLimits.textLength })}
        error={problem}
        ref={field}
        rows={3}
        defaultValue={text}
        maxLength={noteLimits.textLength}
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
        }}
      />
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={busy}>
          {submitLabel}
        </Button>
        <Button onClick={onCancel} disabled={busy}>
          {useWords("ui")("cancel")}
        </Button>
      </div>
    </form>
  );
}
