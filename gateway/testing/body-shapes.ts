import { batchLimits } from "#contract/batch-constants.ts";
import { priceLimits } from "#contract/money/constants.ts";

/** The maximum size of a value. */
export interface Size {
  bytes: number;
  values: number;
}

type Shape = (size: Size) => string;

/** A text of one repeated piece, as long as allowed. */
const text =
  (piece: string, start = ""): Shape =>
  ({ bytes }) => {
    const room = bytes - Buffer.byteLength(start) - 2;
    return `"${start}${piece.repeat(Math.max(1, Math.floor(room / Buffer.byteLength(piece))))}"`;
  };

/** As many members as allowed, each as long as the remaining bytes permit. */
function filled({ bytes, values }: Size, valuesEach: number, member: (at: number, room: number) => string) {
  const shortest = Buffer.byteLength(member(values, 0)) + 1;
  const count = Math.max(1, Math.floor(Math.min(values / valuesEach, bytes / shortest)) - 1);
  const room = Math.floor(bytes / count) - shortest;
  return Array.from({ length: count }, (_, at) => member(at, room)).join(",");
}

const list =
  (valuesEach: number, member: (at: number, room: number) => string): Shape =>
  (size) =>
    `[${filled(size, valuesEach, member)}]`;
const name = (at: number, room: number) => `"${String(at).padStart(6, "0")}${"n".repeat(room)}"`;
const nesting = 90;

/** JSON values that are slow to read, check, copy, compare or quote in an answer. */
export const shapes = {
  letters: text("a"),
  "white space": text(" "),
  "letters of three bytes": text("中"),
  emoji: text("😀"),
  escapes: text("\\u4e2d"),
  "escaped quotes": text('\\"'),
  "escaped backslashes": text("\\\\"),
  lines: text("a,b\\n"),
  "empty lines": text("\\n"),
  "lines in quotes": text("\\n", '\\"'),
  "empty cells": text(","),
  "empty rows": text(",\\n"),
  labels: text("a."),
  slashes: text("/"),
  "an address": text("a/", "https://example.com/"),
  "a data URI": text("AAAA", "data:image/png;base64,"),
  "an e-mail address": text("a.", "a@"),
  "nested groups": text("(a+)+"),
  numbers: list(1, (at, room) => `0.${at}${"1".repeat(Math.min(room, 300))}`),
  texts: list(1, name),
  "equal texts": list(1, (_, room) => `"${"n".repeat(room)}"`),
  names: (size) => `{${filled(size, 1, (at, room) => `${name(at, room)}:0`)}}`,
  "objects of many names": list(
    4_000,
    (at, room) =>
      `{${filled({ bytes: Math.max(room, 100_000), values: 4_000 }, 1, (n, each) => `${name(at * 4_000 + n, each)}:0`)}}`,
  ),
  // New names in every object are the slowest: the engine describes each order of names that it has not seen.
  "objects of a hundred names": list(
    100,
    (at) => `{${Array.from({ length: 100 }, (_, n) => `${name(at * 100 + n, 0)}:0`)}}`,
  ),
  "objects of new names": list(2, (at, room) => `{${name(at, room)}:0}`),
  "objects in every order": list(
    3,
    (at) => `{${[at % 97, 100 + (at % 89), 200 + (at % 83)].map((n) => `${name(n, 0)}:0`)}}`,
  ),
  "empty objects": list(1, () => "{}"),
  messages: list(3, (_, room) => `{"role":"user","content":"${"a ".repeat(Math.floor(room / 2))}"}`),
  "short messages": list(3, () => '{"role":"user","content":"a"}'),
  "calls with outputs": list(10, (at, room) => {
    const half = "a".repeat(room / 2);
    const call = `{"type":"function_call","call_id":"c${at}","name":"f","arguments":"${half}"}`;
    return `${call},{"type":"function_call_output","call_id":"c${at}","output":"${half}"}`;
  }),
  tools: list(4, (at, room) => `{"type":"function","name":"f${at}","description":"${"a".repeat(room)}"}`),
  // The maximum of one import.
  prices: ({ bytes, values }) =>
    list(
      7,
      (at) =>
        `{"model":"svc/m-${at}","api_type":"chat-completions","components":[{"kind":"input_token","per":1000000,"rate":"0.${at + 1}"}]}`,
    )({ bytes, values: Math.min(values, 7 * priceLimits.atOnce) }),
  rows: list(4, (at, room) => `{"prompt":${name(at, room)},"seed":1,"r${at}":0}`),
  // The maximum of one batch.
  "rows of chats": ({ bytes, values }) =>
    list(
      6,
      (_, room) => `{"messages":[{"role":"user","content":"${"a ".repeat(room / 2)}"}],"max_tokens":5}`,
    )({
      bytes,
      values: Math.min(values, 6 * batchLimits.maxRows),
    }),
  "nested lists": list(nesting, (_, room) => `${"[".repeat(nesting)}${name(0, room)}${"]".repeat(nesting)}`),
  "a schema of many fields": (size) =>
    `{"type":"object","properties":{${filled(size, 3, (at, room) => `${name(at, room)}:{"type":"string"}`)}}}`,
  "a schema of many choices": (size) =>
    `{"type":"object","properties":{"a":{"enum":[${filled(size, 1, name)}]}}}`,
  "a schema of references": (size) =>
    `{"type":"object","properties":{"a":{"allOf":[${filled(size, 2, () => '{"$ref":"#/properties/a"}')}]}}}`,
} satisfies Record<string, Shape>;

export type ShapeName = keyof typeof shapes;
export const shapeNames = Object.keys(shapes) as ShapeName[];
