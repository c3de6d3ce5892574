import { encodeTime } from "ulid";
import { described, type IdKind, type IdPrefix } from "./resources.ts";

export type { IdKind };

/**
 * The prefixes of identifiers. Every identifier is `<prefix>_` + a 26-character lower-case ULID, so ids sort by creation time.
 */
export const idPrefixes = Object.fromEntries(described().map(([kind, { id }]) => [kind, id])) as {
  readonly [Kind in IdKind]: IdPrefix<Kind>;
};

let idTime = (): number => Date.now();

/** Makes new identifiers use the given clock instead of this machine's. */
export function setIdClock(now: () => number): void {
  idTime = now;
}

/** The two parts of the last identifier. */
let last = { ms: Number.NaN, time: "", random: "" };

/**
 * A new identifier of the given kind. It sorts after all others that this process made in the same millisecond. The
 * library's own function takes three times as long, and every request makes two identifiers.
 */
export function newId(kind: IdKind): string {
  const ms = idTime();
  if (ms === last.ms) last.random = after(last.random);
  else last = { ms, time: encodeTime(ms, ulidTimeLength).toLowerCase(), random: randomDigits() };
  return `${idPrefixes[kind]}_${last.time}${last.random}`;
}

const randomBytes = new Uint8Array(1024);
let usedBytes = randomBytes.length;

/** Cryptographic random digits, drawn in bulk: asking the system for each identifier takes 50 µs. */
function randomDigits(): string {
  if (usedBytes === randomBytes.length) {
    crypto.getRandomValues(randomBytes);
    usedBytes = 0;
  }
  const drawn = randomBytes.subarray(usedBytes, usedBytes + randomLengthOfId);
  usedBytes += randomLengthOfId;
  let digits = "";
  for (const byte of drawn) digits += ulidDigits.charAt(byte % ulidDigits.length);
  return digits;
}

/** The digits that sort next. */
function after(digits: string): string {
  let at = digits.length - 1;
  while (digits.endsWith("z", at + 1)) at -= 1;
  const next = ulidDigits.charAt(ulidDigits.indexOf(digits.charAt(at)) + 1);
  return digits.slice(0, at) + next + "0".repeat(digits.length - 1 - at);
}

/** Whether `value` has the form of an identifier of the given kind. */
export function isId(kind: IdKind, value: unknown): value is string {
  return typeof value === "string" && new RegExp(`^${idPrefixes[kind]}_[0-9a-hjkmnp-tv-z]{26}$`).test(value);
}

const ulidDigits = "0123456789abcdefghjkmnpqrstvwxyz";
const digitOfCode = Array.from({ length: 128 }, (_, code) => ulidDigits.indexOf(String.fromCharCode(code)));
const ulidTimeLength = 10;
/** The number of characters at the end of an identifier that do not depend on its time. */
export const randomLengthOfId = 16;

/**
 * The creation time of an identifier, in milliseconds. The library has a slower function for this, which is
 * too slow here because every metered run calls it.
 */
export function timeOfId(id: string): number {
  const start = id.indexOf("_") + 1;
  let ms = 0;
  for (let at = start; at < start + ulidTimeLength; at += 1)
    ms = ms * ulidDigits.length + (digitOfCode[id.charCodeAt(at)] ?? -1);
  return ms;
}

/**
 * The lowest identifier with a given time. Ids start with their time, so an index on ids also finds rows by
 * time.
 */
export function firstIdAt(kind: IdKind, atMs: number): string {
  return `${idPrefixes[kind]}_${encodeTime(atMs, ulidTimeLength).toLowerCase()}${"0".repeat(randomLengthOfId)}`;
}

/** An identifier without its prefix, so that ids of several kinds can be sorted together. */
export function ulidOf(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}
