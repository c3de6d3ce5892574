import type { Permission } from "#contract/accounts/permissions.ts";

/** The object that a note is about. */
export interface NoteSubject {
  kind: "prediction" | "delivery";
  id: string;
}

/** Path of its notes at the gateway. */
export function notesPath({ kind, id }: NoteSubject): string {
  return `${kind === "prediction" ? "/predictions" : "/webhooks/deliveries"}/${id}/notes`;
}

/** The path of its notes in the table of routes. */
export function notesRoute({ kind }: NoteSubject) {
  return kind === "prediction" ? "/predictions/{id}/notes" : "/webhooks/deliveries/{id}/notes";
}

export function notePermission({ kind }: NoteSubject): Permission {
  return kind === "prediction" ? "predictions:note" : "deliveries:note";
}
