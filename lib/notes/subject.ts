import type { Permission } from "#contract/accounts/permissions.ts";

/** The prediction or delivery to which a note belongs. */
export interface NoteSubject {
  kind: "prediction" | "delivery";
  id: string;
}

/** The gateway's path of the notes. */
export function notesPath({ kind, id }: NoteSubject): string {
  return `${kind === "prediction" ? "/predictions" : "/webhooks/deliveries"}/${id}/notes`;
}

/** The path of the notes in the table of routes. */
export function notesRoute({ kind }: NoteSubject) {
  return kind === "prediction" ? "/predictions/{id}/notes" : "/webhooks/deliveries/{id}/notes";
}

export function notePermission({ kind }: NoteSubject): Permission {
  return kind === "prediction" ? "predictions:note" : "deliveries:note";
}
