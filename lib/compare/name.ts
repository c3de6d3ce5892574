import { batchLimits } from "#contract/batch-constants.ts";
import { formatCount } from "../format.ts";
import type { CommonInput } from "./common-input.ts";

const words = 60;

/** What a comparison is called in the list of batches: `"A pine" on 5 models`. */
export function comparisonName({ text }: CommonInput, models: number): string {
  const on = formatCount(models, "model");
  const said = text?.replace(/\s+/g, " ").trim() ?? "";
  const short = [...said].slice(0, words).join("");
  const name = said === "" ? `Comparison of ${on}` : `“${short}${short === said ? "" : "…"}” on ${on}`;
  return name.slice(0, batchLimits.nameMaxLength);
}
