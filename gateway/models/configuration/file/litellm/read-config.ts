import { parseDocument, visit } from "yaml";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { proposalLimits } from "#contract/operator/constants.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";

/** The largest configuration, measured before it is parsed. */
const maxConfigBytes = proposalLimits.textBytes;
/** The deepest nesting of lists and objects in brackets. */
const maxDepth = 100;
/** YAML can repeat a value by naming it; this bounds how much such names can grow a small text. */
const maxAliasCount = 100;
/** Each use of a YAML alias is looked up in the whole document. */
const maxRepeats = 300;
const maxDeployments = 2_000;

export type Fields = Record<string, unknown>;

/** The content of LiteLLM's `config.yaml`. Throws `invalid_parameter` for a text that is none. */
export function readConfig(text: string): Fields {
  const refuse = (problem: string) => invalidParameter("text", `The configuration ${problem}`);
  if (Buffer.byteLength(text) > maxConfigBytes)
    throw refuse(`is larger than ${maxConfigBytes / 1024} kB, so it is no config.yaml of LiteLLM.`);
  if (depthOf(text) > maxDepth) throw refuse("is nested too deeply.");
  let content: unknown;
  let repeats = 0;
  try {
    // LiteLLM reads it with PyYAML, which follows YAML 1.1.
    // As there, the last of equal keys counts: comparing them all takes quadratic time.
    const document = parseDocument(text, { version: "1.1", uniqueKeys: false });
    const [fault] = document.errors;
    if (fault) throw fault;
    visit(document, {
      Alias() {
        repeats += 1;
        return repeats > maxRepeats ? visit.BREAK : undefined;
      },
    });
    if (repeats <= maxRepeats) content = document.toJS({ maxAliasCount });
  } catch (error) {
    // Only the first line: the others quote the text, which may have a key.
    const [problem = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    if (!problem.startsWith("Excessive alias count"))
      throw refuse(`is not YAML: ${problem.replace(/:$/, ".")}`);
    repeats = maxRepeats + 1;
  }
  if (repeats > maxRepeats) throw refuse("repeats values (&name, *name) too often.");
  if (!isRecord(content) || !Array.isArray(content.model_list))
    throw refuse("has no model_list. Is it the config.yaml of LiteLLM's proxy?");
  if (content.model_list.length > maxDeployments)
    throw refuse(`has more than ${maxDeployments} deployments. Divide its model_list.`);
  return content;
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of text) {
    if (character === "[" || character === "{") depth += 1;
    else if (depth > 0 && (character === "]" || character === "}")) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** The object of this name; empty without one. */
export function recordIn(given: Fields | undefined, name: string): Fields {
  const value = given && Object.hasOwn(given, name) ? given[name] : undefined;
  return isRecord(value) ? value : {};
}

/** A text or number as a text; null without one. */
export function textOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** The variable in `os.environ/X`. */
export function variableOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  return /^os\.environ\/([A-Za-z_][A-Za-z0-9_]*)$/.exec(value.trim())?.[1] ?? null;
}
