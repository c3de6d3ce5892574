import { type Static, Type } from "typebox";
import { Maker } from "./accounts/people.ts";
import { closed, Deleted, ListOf, Nullable, PageQuery, Timestamp } from "./list.ts";
import { noteLimits } from "./note-constants.ts";
import type { Routes } from "./routes/route.ts";

export * from "./note-constants.ts";

const NoteText = Type.String({
  minLength: 1,
  maxLength: noteLimits.textLength,
  pattern: "\\S",
  description: "plain text, shown without formatting",
});

/** A person's note on a prediction or a delivery. */
export const Note = Type.Object({
  id: Type.String(),
  object: Type.Literal("note"),
  subject_id: Type.String({ description: "id of the prediction or delivery" }),
  text: NoteText,
  made_by: Maker,
  created_at: Timestamp,
  edited_at: Nullable(Timestamp),
});
export type Note = Static<typeof Note>;

export const NoteList = ListOf(Note);
export type NoteList = Static<typeof NoteList>;

/** A new note, or a new text for a note. */
export const NoteWrite = Type.Object({ text: NoteText }, closed);
export type NoteWrite = Static<typeof NoteWrite>;

/** Notes on predictions (extensions). */
export const predictionNoteRoutes = {
  "GET /predictions/{id}/notes": {
    summary: "List the notes on a prediction",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    query: PageQuery,
    answers: { 200: NoteList },
  },
  "POST /predictions/{id}/notes": {
    summary: "Leave a note on a prediction",
    permission: "predictions:note",
    extension: true,
    idempotent: true,
    byClick: true,
    body: NoteWrite,
    answers: { 201: Note },
  },
  "PATCH /predictions/{id}/notes/{note_id}": {
    summary: "Change your note on a prediction",
    permission: "predictions:note",
    extension: true,
    byClick: true,
    body: NoteWrite,
    answers: { 200: Note },
  },
  "DELETE /predictions/{id}/notes/{note_id}": {
    summary: "Delete your note on a prediction; owners may delete any note",
    permission: "predictions:note",
    extension: true,
    fromBrowser: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

/** The same routes for notes on deliveries. */
export const deliveryNoteRoutes = {
  "GET /webhooks/deliveries/{id}/notes": {
    summary: "List the notes on a delivery",
    permission: "deliveries:read",
    extension: true,
    fromBrowser: true,
    query: PageQuery,
    answers: { 200: NoteList },
  },
  "POST /webhooks/deliveries/{id}/notes": {
    summary: "Leave a note on a delivery",
    permission: "deliveries:note",
    extension: true,
    idempotent: true,
    byClick: true,
    body: NoteWrite,
    answers: { 201: Note },
  },
  "PATCH /webhooks/deliveries/{id}/notes/{note_id}": {
    summary: "Change your note on a delivery",
    permission: "deliveries:note",
    extension: true,
    byClick: true,
    body: NoteWrite,
    answers: { 200: Note },
  },
  "DELETE /webhooks/deliveries/{id}/notes/{note_id}": {
    summary: "Delete your note on a delivery; owners may delete any note",
    permission: "deliveries:note",
    extension: true,
    fromBrowser: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
