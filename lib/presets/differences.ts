import { diffArrays } from "diff";
import type { PresetVersion } from "#contract/presets.ts";
import type { Words } from "@/messages/words";
import { isObject } from "../schema-form/json.ts";
import { valueLabel } from "../schema-form/labels.ts";
import type { FormPlan } from "../schema-form/plan.ts";
import { pointerOf } from "../schema-form/pointers.ts";
import { fieldTitle } from "../schema-form/problem-messages.ts";

/** A part of a compared text: removed, added or unchanged. */
export interface TextPart {
  kind: "same" | "removed" | "added";
  text: string;
}

/** A field that differs between two versions. */
export type Difference = { path: string; field: string } & (
  | { kind: "added"; to: string }
  | { kind: "removed"; from: string }
  | { kind: "changed"; from: string; to: string }
  /** A long text, compared word by word. */
  | { kind: "text"; parts: TextPart[] }
);

/** Inputs with more differences are shown as entirely different. */
export const maxDifferences = 50;

/** Shorter texts are easier to read as a whole, before and after. */
const longTextCharacters = 40;

type Compared = Pick<PresetVersion, "name" | "input">;

type Path = readonly (string | number)[];

/** The fields that differ, at most `maxDifferences`. */
export function differencesOf(
  before: Compared,
  after: Compared,
  plan: FormPlan,
  t: Words<"presets">,
): Difference[] {
  const found: Difference[] = [];
  const add = (path: string, field: string, old: unknown, now: unknown) => {
    if (found.length < maxDifferences) found.push(difference(path, field, old, now, t, plan.t));
  };
  const compare = (old: unknown, now: unknown, path: Path) => {
    if (found.length === maxDifferences || isSame(old, now)) return;
    const parts = Array.isArray(old) === Array.isArray(now) ? stepsOf(old, now) : null;
    if (!parts) return add(pointerOf(path), fieldTitle(pointerOf(path), plan), old, now);
    for (const step of parts) compare(memberOf(old, step), memberOf(now, step), [...path, step]);
  };
  if (before.name !== after.name) add("name", t("nameOfThePreset"), before.name, after.name);
  compare(before.input, after.input, []);
  return found;
}

/**
 * The comparison takes time proportional to the words times the changed words. Texts with more changes than
 * this are shown whole, before and after.
 */
const maxChangedWords = 600;

function difference(
  path: string,
  field: string,
  old: unknown,
  now: unknown,
  t: Words<"presets">,
  form: FormPlan["t"],
): Difference {
  const labelFor = (value: unknown) => labelOf(value, t, form);
  if (old === undefined) return { path, field, kind: "added", to: labelFor(now) };
  if (now === undefined) return { path, field, kind: "removed", from: labelFor(old) };
  if (typeof old === "string" && typeof now === "string")
    return Math.max(old.length, now.length) > longTextCharacters
      ? { path, field, kind: "text", parts: wordDiff(old, now) }
      : { path, field, kind: "changed", from: labelFor(old), to: labelFor(now) };
  return { path, field, kind: "changed", from: labelFor(old), to: labelFor(now) };
}

/** Compares two texts word by word. */
export function wordDiff(before: string, after: string): TextPart[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: maxChangedWords });
  const parts: TextPart[] = changes
    ? changes.map(({ removed, added, value }) => ({
        kind: removed ? "removed" : added ? "added" : "same",
        text: value.join(""),
      }))
    : [
        { kind: "removed", text: before },
        { kind: "added", text: after },
      ];
  return parts.filter(({ text }) => text !== "");
}

/** Words with their leading space, so that joining them loses nothing. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** The keys of two objects, or the indexes of two lists. Null if the values have no common structure. */
function stepsOf(old: unknown, now: unknown): (string | number)[] | null {
  if (Array.isArray(old) && Array.isArray(now))
    return Array.from({ length: Math.max(old.length, now.length) }, (_, at) => at);
  return isObject(old) && isObject(now) ? [...new Set([...Object.keys(old), ...Object.keys(now)])] : null;
}

function memberOf(value: unknown, step: string | number): unknown {
  return Object.hasOwn(value as object, step) ? (value as Record<string, unknown>)[step] : undefined;
}

function isSame(old: unknown, now: unknown): boolean {
  return old === now || JSON.stringify(old) === JSON.stringify(now);
}

/** A text stays unchanged. Other values become labels. */
function labelOf(value: unknown, t: Words<"presets">, form: FormPlan["t"]): string {
  return typeof value === "string" ? value || t("empty") : valueLabel(value, form);
}
