"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import type { Note } from "#contract/notes.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { IconButton } from "@/components/ui/button";
import { Time } from "@/components/ui/time";
import { useDeleteWithUndo } from "@/components/ui/use-delete-with-undo";
import { act } from "@/lib/gateway/act";
import { linkedText } from "@/lib/notes/linked-text";
import { type NoteSubject, notePermission, notesPath, notesRoute } from "@/lib/notes/subject";
import { queryKeys } from "@/lib/query-keys";
import { makerName } from "@/lib/team/maker";
import { NoteForm } from "./note-form.tsx";

/** Notes, newest first. People can change and delete their own notes. Owners can delete all. */
export function NoteList({ subject, notes }: { subject: NoteSubject; notes: readonly Note[] }) {
  const t = useWords("notes");
  const client = useQueryClient();
  const renew = () => void client.invalidateQueries({ queryKey: queryKeys.notes(subject.id) });
  const { hidden, deleteSoon } = useDeleteWithUndo({
    path: notesPath(subject),
    remove: (id) =>
      act(`DELETE ${notesRoute(subject)}/{note_id}`, { params: { id: subject.id, note_id: id } }),
    goneCode: "note_not_found",
    onGone: renew,
  });
  const shown = notes.filter(({ id }) => !hidden.has(id));
  if (shown.length === 0) return null;
  return (
    <ul className="mb-3 divide-y rounded-panel border bg-panel">
      {shown.map((note) => (
        <NoteItem
          key={note.id}
          subject={subject}
          note={note}
          onChanged={renew}
          onDelete={() => deleteSoon(note.id, t("theNote"))}
        />
      ))}
    </ul>
  );
}

interface NoteItemProps {
  subject: NoteSubject;
  note: Note;
  onChanged: () => void;
  onDelete: () => void;
}

function NoteItem({ subject, note, onChanged, onDelete }: NoteItemProps) {
  const t = useWords("notes");
  const { userId, role, may } = useAccess();
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const isOwn = userId !== null && note.made_by.user?.id === userId;
  const name = makerName(note.made_by, t.language) ?? t("somebody");
  const mayWrite = may(notePermission(subject));
  const close = () => {
    setEditing(false);
    edit.current?.focus();
  };
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2 text-table text-muted">
        <span className="font-medium text-ink">{name}</span>
        <Time value={note.created_at} />
        {note.edited_at && (
          <span>{t.rich("changed", {}, { time: () => <Time key="time" value={note.edited_at} /> })}</span>
        )}
        <span className="ml-auto flex">
          {isOwn && mayWrite && (
            <IconButton
              ref={edit}
              size="sm"
              label={t("change", { name })}
              icon={<Pencil size={14} aria-hidden />}
              aria-expanded={editing}
              onClick={() => setEditing(!editing)}
            />
          )}
          {(isOwn || role === "owner") && mayWrite && (
            <IconButton
              size="sm"
              label={t("delete", { name })}
              icon={<Trash2 size={14} aria-hidden />}
              onClick={onDelete}
            />
          )}
        </span>
      </div>
      {editing ? (
        <NoteForm
          text={note.text}
          submitLabel={t("saveChanges")}
          save={(text) =>
            act(`PATCH ${notesRoute(subject)}/{note_id}`, {
              params: { id: subject.id, note_id: note.id },
              body: { text },
            })
          }
          onSaved={() => {
            onChanged();
            close();
          }}
          onCancel={close}
        />
      ) : (
        <NoteText text={note.text} />
      )}
    </li>
  );
}

/** A note's text, with links. */
function NoteText({ text }: { text: string }) {
  return (
    <p className="whitespace-pre-wrap wrap-anywhere">
      {linkedText(text).map((part, index) =>
        part.isLink ? (
          <a
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay in their places.
            key={index}
            href={part.text}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="text-accent underline underline-offset-2"
          >
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}
