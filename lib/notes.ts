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

/** A part of a note: a link or text. */
interface TextPart {
  text: string;
  isLink: boolean;
}

/** Only https links, so that another person's note cannot run a script or link to an unencrypted site. */
const address = /https:\/\/[^\s<>"'`]+/g;

/** Punctuation that ends the sentence, not the address. */
const sentenceEnd = /[.,;:!?)\]}]+$/;

/** Splits a text into https links and the rest. */
export function linkedText(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  const add = (to: number, isLink: boolean) => {
    if (to > from) parts.push({ text: text.slice(from, to), isLink });
    from = to;
  };
  for (const { 0: found, index } of text.matchAll(address)) {
    const url = found.replace(sentenceEnd, "");
    if (!URL.canParse(url)) continue;
    add(index, false);
    add(index + url.length, true);
  }
  add(text.length, false);
  return parts;
}
