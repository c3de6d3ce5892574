import { byName } from "#contract/by-name.ts";
import type { JsonSchema } from "#contract/catalog.ts";
import { countCharacters } from "#contract/characters.ts";
import type { Words } from "../../messages/words.ts";
import { listText } from "../words/list-text.ts";
import { branchesOf, numberOf, schemaAt } from "./json.ts";
import { titleOf } from "./labels.ts";
import type { FormPlan, PlannedField } from "./plan.ts";
import { segmentsOf } from "./pointers.ts";

/** The words of problems. */
export type ProblemWords = Words<"inputForm">;

/** The message for a violated keyword of `schema`. `value` is the field's value. */
export function remedyOf(t: ProblemWords, keyword: string, schema: JsonSchema, value: unknown): string {
  switch (keyword) {
    case "required":
      return t("fieldRequired");
    case "type":
      return typeMessage(t, schema, value);
    case "enum":
      return choiceMessage(t, Array.isArray(schema.enum) ? schema.enum : []);
    case "const":
      return t("mustBe", { value: JSON.stringify(schema.const) });
    case "minLength":
      return schema.minLength === 1
        ? t("fieldRequired")
        : t("atLeastCharacters", { count: Number(schema.minLength) });
    case "maxLength":
      return tooLongMessage(t, Number(schema.maxLength), countCharacters(String(value)));
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return rangeMessage(t, schema);
    case "minItems":
    case "maxItems":
      return itemsMessage(t, schema, Array.isArray(value) ? value.length : 0);
    case "anyOf":
    case "oneOf":
      return unionMessage(t, schema);
    case "additionalProperties":
    case "unevaluatedProperties":
    case "false":
      return t("removeUnknownKey");
    case "format":
      return t.text(formatMessages[String(schema.format)] ?? "checkFormat");
    case "pattern":
      return t("noPattern", { pattern: String(schema.pattern) });
    case "multipleOf":
      return t("useMultiple", { value: String(schema.multipleOf) });
    case "uniqueItems":
      return t("eachOnce");
    case "minProperties":
      return t("addKeys", { count: Number(schema.minProperties) });
    case "maxProperties":
      return t("atMostKeys", { count: Number(schema.maxProperties) });
    case "propertyNames":
      return t("removeKey");
    case "dependentRequired":
      return t("fillIn");
    case "contains":
      return t("addItem");
    default:
      return t("valueNotAccepted");
  }
}

const maxNamed = 20;

function choiceMessage(t: ProblemWords, values: readonly unknown[]): string {
  if (values.length > maxNamed) return t("chooseOffered", { count: String(values.length) });
  return t("chooseOneOf", { values: listText(t.language, values.map(String), "plain") });
}

const formatMessages = byName<"enterDate" | "enterDateTime" | "enterTime" | "enterMail" | "enterUuid">({
  date: "enterDate",
  "date-time": "enterDateTime",
  time: "enterTime",
  email: "enterMail",
  uuid: "enterUuid",
});

const or = ({ language }: ProblemWords) => (language === "en" ? " or " : "或");

function typeMessage(t: ProblemWords, schema: JsonSchema, value: unknown): string {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).map(String);
  if (value === null && !types.includes("null")) return t("fieldRequired");
  return t("enterType", { types: types.map((type) => t("typeOf", { type })).join(or(t)) });
}

type NumberKind = "integer" | "number";

function rangeMessage(t: ProblemWords, schema: JsonSchema): string {
  const kind: NumberKind = schema.type === "integer" ? "integer" : "number";
  const [min, max] = [numberOf(schema.minimum), numberOf(schema.maximum)];
  const [above, below] = [numberOf(schema.exclusiveMinimum), numberOf(schema.exclusiveMaximum)];
  if (min !== null && max !== null && above === null && below === null)
    return describeRange(t, kind, min, max);
  const lowKind = above !== null ? "above" : min !== null ? "least" : "none";
  const highKind = below !== null ? "below" : max !== null ? "most" : "none";
  return t("chooseBounded", {
    kind,
    lowKind,
    low: grouped(above ?? min ?? 0),
    both: lowKind !== "none" && highKind !== "none" ? "yes" : "no",
    highKind,
    high: grouped(below ?? max ?? 0),
  });
}

function grouped(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 20 });
}

/** `Choose a number from 1 to 5.`, or `Must be 3.` if there is no choice. */
export function describeRange(t: ProblemWords, kind: NumberKind, min: number, max: number): string {
  if (min === max) return t("mustBeValue", { value: String(max) });
  return t("chooseFromTo", { kind, min: grouped(min), max: grouped(max) });
}

function itemsMessage(t: ProblemWords, schema: JsonSchema, count: number): string {
  const [min, max] = [numberOf(schema.minItems) ?? 0, numberOf(schema.maxItems)];
  if (min === max) return t("useExactly", { limit: String(min), count });
  return count < min
    ? t("addAtLeast", { limit: String(min), count })
    : t("useAtMost", { limit: String(max), count });
}

/** For a text with more characters than `most`. */
export function tooLongMessage(t: ProblemWords, most: number, length: number): string {
  return t("shortenTo", { most, length });
}

function unionMessage(t: ProblemWords, schema: JsonSchema): string {
  const branches = branchesOf(schema);
  const single = branches.find((branch) => "const" in branch || Array.isArray(branch.enum));
  const range = branches.find((branch) => numberOf(branch.minimum) !== null);
  if (single && range)
    return t("rangeOrModel", {
      min: String(range.minimum),
      max: String(range.maximum),
      value: String(single.const ?? (single.enum as unknown[])[0]),
    });
  const needs = branches.map((branch) => (Array.isArray(branch.required) ? branch.required.map(String) : []));
  if (needs.length > 0 && needs.every((names) => names.length === 1)) {
    const titleAt = (name: string) => titleOf(t, name, schemaAt(schemaAt(schema, "properties"), name));
    return t("enterNames", { names: needs.map(([name = ""]) => titleAt(name).toLowerCase()).join(or(t)) });
  }
  return t("noFormatFits");
}

/** "Reference 2, URL" for `/media/1/url`. */
export function fieldTitle(pointer: string, plan: FormPlan): string {
  const [name, ...rest] = segmentsOf(pointer);
  if (name === undefined) return plan.t("request");
  const field = plan.fields.find((each) => each.name === name);
  if (!field) return titleOf(plan.t, name, {});
  const [head = field.title, ...more] = titlesOf(plan.t, field, rest);
  const comma = plan.t.language === "en" ? ", " : "，";
  return more.length === 0 ? head : `${head}${comma}${more.join(" ").toLowerCase()}`;
}

/** The title of a field and of the nested parts that lead to a value in it. */
function titlesOf(t: ProblemWords, field: PlannedField, segments: readonly string[]): string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [field.kind === "confirm" ? field.statement : field.title];
  const index = /^\d+$/.test(segment) ? Number(segment) : null;
  if (index !== null && field.kind !== "map") {
    const part = field.kind === "items" ? (field.first[index] ?? field.item) : null;
    const inside = part ? titlesOf(t, part, rest).slice(1) : plainTitles(t, rest);
    const position = field.kind === "media-list" ? field.positions?.[index] : undefined;
    return [position ?? `${itemWord(t, field)} ${index + 1}`, ...inside];
  }
  const part = partsOf(field).find((each) => each.name === segment);
  return [field.title, ...(part ? titlesOf(t, part, rest) : plainTitles(t, segments))];
}

function partsOf(field: PlannedField): PlannedField[] {
  if (field.kind === "group") return field.fields;
  return field.kind === "union" ? field.branches.flatMap((branch) => partsOf(branch.field)) : [];
}

/** Labels for keys that are not in the plan. */
function plainTitles(t: ProblemWords, segments: readonly string[]): string[] {
  const [first, ...deeper] = segments;
  if (first === undefined) return [];
  return [
    titleOf(t, first, {}),
    ...deeper.map((each) => (/^\d+$/.test(each) ? String(Number(each) + 1) : each)),
  ];
}

function itemWord(t: ProblemWords, field: PlannedField): string {
  if (field.kind === "items") return field.itemTitle;
  if (field.kind === "messages") return t("message");
  if (field.kind === "media-list" && field.media !== "any") return t("fileOf", { media: field.media });
  return field.title;
}

/** A problem with a request body, for the person who filled in the form. */
export interface Problem {
  /** JSON pointer into the body. Empty for the whole body. */
  path: string;
  /** The field's title, for example "Reference 2, URL". */
  field: string;
  /** How to fix the problem, without the field's name: "Choose one of 720P, 1080P." */
  message: string;
}
