import type { Content } from "#contract/contents.ts";
import type { Words } from "../../messages/words.ts";
import { type TextPart, wordDiff } from "../presets/differences.ts";
import type { JsonObject } from "../schema-form/json.ts";
import { answersOf, askedOf, wholeText, writerOf } from "./kept-messages.ts";

/** A message, parameter or answer of two calls. */
export interface ComparedRow {
  name: string;
  /** The text of each call in parts. Null: the call has none. */
  sides: [TextPart[] | null, TextPart[] | null];
  differs: boolean;
}

export interface ComparedGroup {
  name: string;
  rows: ComparedRow[];
}

/** Longer conversations are compared up to this message. */
export const maxMessages = 200;

/** Compares what two calls were sent and answered: messages, parameters and answers, each text word by word. */
export function compareContents(t: Words<"requests">, left: Content, right: Content): ComparedGroup[] {
  const [inputs, answers] = [
    [left.input, right.input] as const,
    [answersOf(left), answersOf(right)] as const,
  ];
  const names = [...new Set(inputs.flatMap(Object.keys))].filter((name) => name !== "messages");
  const texts = [spokenText(left), spokenText(right)] as const;
  return [
    { name: t("messages"), rows: messageRows(t, [askedOf(left), askedOf(right)]) },
    {
      name: t("parameters"),
      rows: names.map((name) => rowOf(name, [valueText(inputs[0][name]), valueText(inputs[1][name])])),
    },
    {
      name: t("answer"),
      rows: [...messageRows(t, answers), ...(texts.some(Boolean) ? [rowOf(t("text"), texts)] : [])],
    },
  ].filter(({ rows }) => rows.length > 0);
}

/** The text of a transcription. */
function spokenText({ output }: Content): string | null {
  return typeof output?.text === "string" ? output.text : null;
}

function messageRows(
  t: Words<"requests">,
  [left, right]: readonly [readonly JsonObject[], readonly JsonObject[]],
): ComparedRow[] {
  const length = Math.min(maxMessages, Math.max(left.length, right.length));
  return Array.from({ length }, (_, at) => {
    const both = [left[at], right[at]] as const;
    const writers = [...new Set(both.flatMap((message) => (message ? [writerOf(t, message)] : [])))];
    const [one = "", other] = writers;
    const name = other === undefined ? `${at + 1}. ${one}` : `${at + 1}. ${t("oneOrOther", { one, other })}`;
    return rowOf(name, [both[0] ? wholeText(t, both[0]) : null, both[1] ? wholeText(t, both[1]) : null]);
  });
}

function valueText(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}

/** Longer texts are shown whole, without marks. */
const maxDiffCharacters = 100_000;

function rowOf(name: string, [left, right]: readonly [string | null, string | null]): ComparedRow {
  if (left === right || left === null || right === null || left.length + right.length > maxDiffCharacters)
    return { name, sides: [whole(left), whole(right)], differs: left !== right };
  const parts = wordDiff(left, right);
  return {
    name,
    sides: [parts.filter(({ kind }) => kind !== "added"), parts.filter(({ kind }) => kind !== "removed")],
    differs: true,
  };
}

function whole(text: string | null): TextPart[] | null {
  return text === null ? null : [{ kind: "same", text }];
}
