import type { FieldRules } from "#contract/operator/routes.ts";

export const ruleKinds = ["rename", "omit", "defaults", "set"] as const;
export type RuleKind = (typeof ruleKinds)[number];

/** One line of the field-rule editor. */
export interface Rule {
  kind: RuleKind;
  field: string;
  /** The upstream's field name, or a value as JSON. Not used when the rule drops the field. */
  value: string;
}

/** Converts a route's field rules to lines of the editor. */
export function rulesOf({ rename = {}, omit = [], defaults = {}, set = {} }: FieldRules): Rule[] {
  const valued = (kind: RuleKind, values: Record<string, unknown>) =>
    Object.entries(values).map(([field, value]) => ({ kind, field, value: textOf(value) }));
  return [
    ...valued("rename", rename),
    ...omit.map((field) => ({ kind: "omit" as const, field, value: "" })),
    ...valued("defaults", defaults),
    ...valued("set", set),
  ];
}

/** Converts lines to field rules, ignoring lines without a field. Null: no rules. */
export function fieldsOf(rules: readonly Rule[]): FieldRules | null {
  const named = rules.map((rule) => ({ ...rule, field: rule.field.trim() })).filter(({ field }) => field);
  const of = (kind: RuleKind, read: (text: string) => unknown) =>
    Object.fromEntries(
      named.filter((rule) => rule.kind === kind).map(({ field, value }) => [field, read(value)]),
    );
  const rename = Object.fromEntries(
    Object.entries(of("rename", (text) => text.trim())).filter(([, name]) => name !== ""),
  ) as Record<string, string>;
  const omit = named.filter(({ kind }) => kind === "omit").map(({ field }) => field);
  const [defaults, set] = [of("defaults", parsed), of("set", parsed)];
  const fields: FieldRules = {
    ...(Object.keys(rename).length > 0 && { rename }),
    ...(omit.length > 0 && { omit }),
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...(Object.keys(set).length > 0 && { set }),
  };
  return Object.keys(fields).length > 0 ? fields : null;
}

/** Parses JSON. Anything else counts as text, so that nobody has to quote a word. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The shortest text that parses to the same value. */
function textOf(value: unknown): string {
  return typeof value === "string" && parsed(value) === value ? value : JSON.stringify(value);
}
