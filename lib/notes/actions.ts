"use server";

import type { Deleted } from "#contract/list.ts";
import type { Note } from "#contract/notes.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";
import type { NoteSubject } from "./subject.ts";

/** Adds a note, once per key. */
export async function leaveNote({ kind, id }: NoteSubject, text: string, key: string): ActionResult<Note> {
  const call = { params: { id }, body: { text }, headers: { "idempotency-key": key } };
  return {
    answer:
      kind === "prediction"
        ? requestRoute("POST /predictions/{id}/notes", call)
        : requestRoute("POST /webhooks/deliveries/{id}/notes", call),
  };
}

export async function changeNote(
  { kind, id }: NoteSubject,
  noteId: string,
  text: string,
): ActionResult<Note> {
  const call = { params: { id, note_id: noteId }, body: { text } };
  return {
    answer:
      kind === "prediction"
        ? requestRoute("PATCH /predictions/{id}/notes/{note_id}", call)
        : requestRoute("PATCH /webhooks/deliveries/{id}/notes/{note_id}", call),
  };
}

export async function removeNote({ kind, id }: NoteSubject, noteId: string): ActionResult<Deleted> {
  const call = { params: { id, note_id: noteId } };
  return {
    answer:
      kind === "prediction"
        ? requestRoute("DELETE /predictions/{id}/notes/{note_id}", call)
        : requestRoute("DELETE /webhooks/deliveries/{id}/notes/{note_id}", call),
  };
}
