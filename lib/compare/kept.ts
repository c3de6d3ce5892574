import { storable } from "../schema-form/draft.ts";
import { isObject, type JsonObject } from "../schema-form/json.ts";
import type { CommonInput } from "./common-input.ts";
import type { ComparisonDraft, ComparisonStart } from "./start.ts";

/** What an address asks for; the input is null where it names models only. */
type Original = Pick<ComparisonStart, "input" | "chosen" | "own">;

/** A comparison as this browser keeps it, with what it began as. */
export interface KeptComparison extends ComparisonDraft {
  original: Original;
}

export const asksOf = ({ input, chosen, own }: ComparisonStart): Original => ({ input, chosen, own });

/** The draft as the original has it; what that leaves open stays as it was. */
export function begin(original: Original, before: ComparisonDraft | null): KeptComparison {
  return { ...original, input: original.input ?? before?.input ?? {}, original };
}

/** What was kept; null for anything else. */
export function readKept(value: JsonObject | null): KeptComparison | null {
  if (!value) return null;
  const { input, chosen, own, original } = value;
  if (!isObject(input) || !Array.isArray(chosen) || !isObject(own) || !isObject(original)) return null;
  return {
    input: input as CommonInput,
    chosen,
    own: own as ComparisonDraft["own"],
    original: original as unknown as Original,
  };
}

/** What may be kept: each run asks anew for a confirmation. */
export function storableComparison(kept: KeptComparison): KeptComparison {
  const own = Object.entries(kept.own).map(([key, values]) => [key, storable(values)]);
  return { ...kept, own: Object.fromEntries(own) };
}
