import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { yieldToEventLoop } from "./event-loop.ts";

/**
 * JSON in canonical form (RFC 8785): the same text for the same value, whatever the order of its keys. The
 * standard rejects a text with half of a surrogate pair. Here that half is escaped, because a model's output
 * can contain one.
 */
export function canonicalJson(value: unknown): string {
  return [...piecesOf(value)].join("");
}

/**
 * The SHA-256 (hex) of `salt` followed by the canonical JSON. Large values are hashed in pieces: 40 MB at once
 * would block all other requests.
 */
export async function hashOfJson(value: unknown, salt = ""): Promise<string> {
  const pause = yieldToEventLoop();
  const hash = createHash("sha256").update(salt);
  let text = "";
  for (const piece of piecesOf(value)) {
    text += piece;
    if (text.length >= maxPieceLength) {
      hash.update(text);
      text = "";
    }
    const turn = pause();
    if (turn) await turn;
  }
  return hash.update(text).digest("hex");
}

/** The longest part, in UTF-16 units and in values, that is written without a pause for other requests. */
const maxPieceLength = 262_144;
const maxPieceValues = 10_000;

/**
 * Yields a value as one piece, except if it is large, because the library would write it all at once, or has
 * texts that the library rejects.
 */
function* piecesOf(value: unknown): Generator<string> {
  if (isPlain(value, { length: maxPieceLength, values: maxPieceValues })) yield canonicalize(value) ?? "null";
  else if (typeof value === "string") yield* escapedPieces(value);
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      yield at === 0 ? "[" : ",";
      yield* piecesOf(item);
    }
    yield "]";
  } else {
    const members = Object.entries(value as object).filter(([, member]) => member !== undefined);
    members.sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [at, [name, member]] of members.entries()) {
      yield `${at === 0 ? "{" : ","}${JSON.stringify(name)}:`;
      yield* piecesOf(member);
    }
    yield "}";
  }
}

/** Whether the library may write the value at once. `left` is what fits into the piece. */
function isPlain(value: unknown, left: { length: number; values: number }): boolean {
  left.values -= 1;
  if (left.values < 0) return false;
  if (typeof value === "string") return fits(value, left);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, member]) => fits(name, left) && isPlain(member, left));
}

function fits(text: string, left: { length: number }): boolean {
  left.length -= text.length;
  return left.length >= 0 && text.isWellFormed();
}

function* escapedPieces(text: string): Generator<string> {
  yield '"';
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + maxPieceLength;
    const isPairCut = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
    if (isPairCut) end -= 1;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
  }
  yield '"';
}
