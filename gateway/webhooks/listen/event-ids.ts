import { encodeTime } from "ulid";
import { idPrefixes, isId } from "#contract/ids.ts";
import { timeOfId } from "../deliveries/new-delivery.ts";

/** An id is made before its transaction commits, so a smaller one may show up after a greater one. */
const lateCommitMs = 10_000;
const ulidTimeLength = 10;
const greatestFirstDigit = "7";

/** Whether it has the form of an event's id and a time that a ULID can hold: 50 bits of digits, 48 of time. */
export function isEventId(value: unknown): value is string {
  return isId("event", value) && value.charAt(idPrefixes.event.length + 1) <= greatestFirstDigit;
}

/** No event of this time or later has a smaller id. */
export function idFloor(atMs: number): string {
  const time = encodeTime(Math.max(0, atMs), ulidTimeLength).toLowerCase();
  return `${idPrefixes.event}_${time}${"0".repeat(16)}`;
}

/** Where to look again for events that committed after event `id`. */
export function lateFloor(id: string): string {
  return idFloor(timeOfId(id).getTime() - lateCommitMs);
}
