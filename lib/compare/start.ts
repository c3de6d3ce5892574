import type { JsonObject } from "../schema-form/json.ts";
import type { CommonInput } from "./common-input.ts";

/** What is filled in: the common input, and the models with what they alone get. */
export interface ComparisonDraft {
  input: CommonInput;
  /** Keys of candidates. */
  chosen: readonly string[];
  /** What was given for one candidate alone, by its key. */
  own: Record<string, JsonObject>;
}

/** What a comparison begins with. */
export interface ComparisonStart extends Omit<ComparisonDraft, "input"> {
  /** Null: what this browser kept. */
  input: CommonInput | null;
  /** The candidate whose draft in this browser's playground is the input. */
  draftOf: string | null;
  /** What became of the input that was asked for. */
  notice: string | null;
}

export const emptyStart: ComparisonStart = { input: null, chosen: [], own: {}, draftOf: null, notice: null };
