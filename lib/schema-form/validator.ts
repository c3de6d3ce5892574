import type { CatalogOperation, JsonSchema } from "#contract/catalog.ts";
import { countCharacters } from "#contract/characters.ts";
import { evaluate, type Failure, type Matches } from "#contract/input-schema/evaluate.ts";
import { nearestName } from "#contract/nearest-name.ts";
import { branchesOf, isObject, type JsonObject, numberOf, schemaAt } from "./json.ts";
import type { FormPlan } from "./plan.ts";
import { pointerOf } from "./pointers.ts";
import {
  describeRange,
  fieldTitle,
  type Problem,
  type ProblemWords,
  remedyOf,
  tooLongMessage,
} from "./problem-messages.ts";

/**
 * The problems of a request body by the operation's schema and limits, each with its field and fix. Empty if
 * the gateway would accept the body. The gateway validates it again and has the last word.
 */
export function problemsOf(
  body: JsonObject,
  operation: CatalogOperation,
  plan: FormPlan,
  t: ProblemWords,
): Problem[] {
  const found = evaluate(operation.input_schema, body, matches)
    .flatMap(meant)
    .map((failure) => problemFrom(failure, plan, t));
  const problems = [...found, ...limitProblems(body, operation, plan, t)];
  const seen = new Set<string>();
  return problems.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** Problems that the operation's schema cannot express but its `limits` do. */
function limitProblems(
  body: JsonObject,
  operation: CatalogOperation,
  plan: FormPlan,
  t: ProblemWords,
): Problem[] {
  const { limits } = operation;
  const problems: Problem[] = [];
  const report = (path: string, message: string) =>
    problems.push({ path, field: fieldTitle(path, plan), message });
  const tooLong = (key: string, limit: unknown) => {
    const [text, most] = [body[key], numberOf(limit)];
    if (typeof text !== "string" || most === null) return;
    const length = countCharacters(text);
    if (length > most) report(`/${key}`, tooLongMessage(t, most, length));
  };
  tooLong("prompt", limits.maxPromptCharacters);
  if (operation.api_type === "text-to-speech") tooLong("input", limits.maxInputCharacters);
  const maxImages = numberOf(limits.maxInputImages);
  if (Array.isArray(body.image) && maxImages !== null && body.image.length > maxImages)
    report("/image", t("atMostImages", { most: maxImages, count: String(body.image.length) }));
  const maxTokens = numberOf(limits.maxOutputTokens);
  const tokens = numberOf(body.max_tokens);
  if (maxTokens !== null && tokens !== null && tokens > maxTokens)
    report("/max_tokens", describeRange(t, "integer", 1, maxTokens));
  const maxBytes = numberOf(limits.maxRequestBytes);
  const bytes = requestBytes(body);
  if (maxBytes !== null && bytes > maxBytes) report("", t("shortenRequest", { most: maxBytes, bytes }));
  return problems;
}

/** The size of the body as JSON, in bytes. */
export function requestBytes(body: JsonObject): number {
  return new TextEncoder().encode(JSON.stringify(body)).length;
}

/** Whether `value` matches a schema. */
export function satisfies(schema: JsonSchema, value: unknown): boolean {
  return evaluate(schema, value, matches).length === 0;
}

/**
 * When a union fails, all its branches report problems. Keeps only those of the branch that the value was
 * meant for. If that is unclear, keeps the problem of the union itself.
 */
function meant(failure: Failure): Failure[] {
  const index = failure.branches ? meantBranch(branchesOf(failure.schema), failure.value) : null;
  const branch = index === null ? undefined : failure.branches?.[index];
  return branch && branch.length > 0 ? branch.flatMap(meant) : [failure];
}

/** Whether a value has the schema's type, ignoring other keywords. */
function typeFits(schema: JsonSchema, value: unknown): boolean {
  return satisfies({ type: schema.type }, value);
}

/**
 * The branch with the same constant as the value (a message's `role`), otherwise the only branch of the
 * value's type.
 */
export function meantBranch(branches: readonly JsonSchema[], value: unknown): number | null {
  const named = branches.findIndex((branch) => isObject(value) && carriesConstant(branch, value));
  if (named !== -1) return named;
  const ofType = branches.filter((branch) => "type" in branch && typeFits(branch, value));
  const [only] = ofType;
  return only && ofType.length === 1 && branches.every((branch) => "type" in branch)
    ? branches.indexOf(only)
    : null;
}

function carriesConstant(branch: JsonSchema, value: JsonObject): boolean {
  const properties = isObject(branch.properties) ? Object.entries(branch.properties) : [];
  return properties.some(([key, property]) => {
    if (!isObject(property) || !(key in value)) return false;
    if ("const" in property) return property.const === value[key];
    return Array.isArray(property.enum) && property.enum.length === 1 && property.enum[0] === value[key];
  });
}

function problemFrom(
  { path: segments, keyword, schema, value }: Failure,
  plan: FormPlan,
  t: ProblemWords,
): Problem {
  const path = pointerOf(segments);
  const asked = plan.fields.find(({ name }) => path === `/${name}`);
  const message =
    asked?.kind === "confirm"
      ? t("confirmRequired")
      : (misspelling(t, keyword, schema, segments) ?? remedyOf(t, keyword, schema, value));
  return { path, field: fieldTitle(path, plan), message };
}

/** The name to write instead of an unknown key. Null if no known name is similar. */
function misspelling(
  t: ProblemWords,
  keyword: string,
  schema: JsonSchema,
  segments: Failure["path"],
): string | null {
  if (keyword !== "additionalProperties") return null;
  const meant = nearestName(String(segments.at(-1)), Object.keys(schemaAt(schema, "properties")));
  return meant && t("writeInstead", { name: meant });
}

let engine: typeof import("#contract/input-schema/pattern.ts") | null = null;

/** Until the engine has loaded, only the gateway checks patterns. */
export const matches: Matches = (pattern, text) => engine?.linearPattern(pattern).test(text) ?? true;

/** Loads the engine for patterns, which the gateway uses too, if the schema has any pattern. */
export async function loadPatterns(schema: JsonSchema): Promise<void> {
  if (!engine && JSON.stringify(schema).includes('"pattern":'))
    engine = await import("#contract/input-schema/pattern.ts");
}
