import type { JsonObject } from "../schema-form/json.ts";
import type { CommonInput } from "./common-input.ts";

/** The form: the common input, and the models with their own values. */
export interface ComparisonDraft {
  input: CommonInput;
  /** Keys of candidates. */
  chosen: readonly string[];
  /** Values for one candidate only, by its key. */
  own: Record<string, JsonObject>;
}

/** The initial state of a comparison. */
export interface ComparisonStart extends Omit<ComparisonDraft, "input"> {
  /** Null: use the input stored in this browser. */
  input: CommonInput | null;
  /** The candidate whose playground draft in this browser is the input. */
  draftOf: string | null;
  /** Tells the user which part of the wanted input could not be used. */
  notice: string | null;
}

export const emptyStart: ComparisonStart = { input: null, chosen: [], own: {}, draftOf: null, notice: null };
