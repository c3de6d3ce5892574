import type { JsonObject } from "../schema-form/json.ts";
import type { CommonInput } from "./common-input.ts";

/** The values of the comparison form: the common input, and the models with their separate values. */
export interface ComparisonDraft {
  input: CommonInput;
  /** Keys of the chosen candidates. */
  chosen: readonly string[];
  /** Values for one candidate only, by the candidate's key. */
  own: Record<string, JsonObject>;
}

/** The initial state of a comparison. */
export interface ComparisonStart extends Omit<ComparisonDraft, "input"> {
  /** Null: use the input that this browser stored. */
  input: CommonInput | null;
  /** The candidate whose draft in this browser's playground is the input. */
  draftOf: string | null;
  /** A note for the user: which part of the requested input could not be used. */
  notice: string | null;
}

export const emptyStart: ComparisonStart = { input: null, chosen: [], own: {}, draftOf: null, notice: null };
