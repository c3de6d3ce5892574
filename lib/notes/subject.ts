import type { Permission } from "#contract/accounts/permissions.ts";

/** What notes are about. */
export interface NoteSubject {
  kind: "prediction" | "delivery";
  id: string;
}

/** The gateway's list of them. */
export function notesPath({ kind, id }: NoteSubject): string {
  return `${kind === "prediction" ? "/predictions" : "/webhooks/deliveries"}/${id}/notes`;
}

export function notePermission({ kind }: NoteSubject): Permission {
  return kind === "prediction" ? "predictions:note" : "deliveries:note";
}
