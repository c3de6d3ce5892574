import { type Static, Type } from "typebox";
import { Maker } from "./accounts/people.ts";
import { closed, ListOf } from "./list.ts";
import { noteLimits } from "./note-constants.ts";
import { Nullable, Timestamp } from "./nullable.ts";

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
