import { idPrefixes, isId } from "#contract/ids.ts";

/** A place in the order in which events are told: by the transaction that wrote them, then by id. */
export interface Place {
  tx: string;
  id: string;
}

/** Before every event. */
export const beginning: Place = { tx: "0", id: "" };

const form = /^(\d{1,20})\.([0-9a-hjkmnp-tv-z]{0,26})$/;
const largestTx = 2n ** 64n - 1n;
/** After every id of its transaction. */
const lastUlid = "z".repeat(26);

/** What a caller keeps and sends back. It needs nothing on our side, so it survives whatever happens here. */
export function cursorOf({ tx, id }: Place): string {
  return `${tx}.${id.slice(idPrefixes.event.length + 1)}`;
}

/** The place behind all that is final now. */
export function horizonOf(xmin: string): Place {
  return { tx: String(BigInt(xmin) - 1n), id: `${idPrefixes.event}_${lastUlid}` };
}

/** Null for what is no cursor. */
export function placeOf(cursor: string): Place | null {
  const [, tx, ulid] = form.exec(cursor) ?? [];
  if (tx === undefined || ulid === undefined || BigInt(tx) > largestTx) return null;
  return { tx, id: ulid === "" ? "" : `${idPrefixes.event}_${ulid}` };
}

export function isEventsId(text: string): boolean {
  return isId("event", text);
}
