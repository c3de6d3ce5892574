import type { Maker } from "#contract/accounts/people.ts";
import type { Note } from "#contract/notes.ts";
import type { notes } from "#gateway/platform/database/schema.ts";

export type NoteRow = typeof notes.$inferSelect;

export function noteView(row: NoteRow, makerOf: (row: NoteRow) => Maker): Note {
  return {
    id: row.id,
    object: "note",
    subject_id: row.predictionId ?? row.deliveryId ?? "",
    text: row.text,
    made_by: makerOf(row),
    created_at: row.createdAt.toISOString(),
    edited_at: row.editedAt?.toISOString() ?? null,
  };
}
