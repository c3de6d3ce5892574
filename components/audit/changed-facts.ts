import { isRecord, isSame } from "#contract/input-schema/json-values.ts";

/** One difference between the two sides of a change. Null where a side has no value. */
export interface ChangedFact {
  name: string;
  before: string | null;
  after: string | null;
}

const maxTextLength = 160;

/**
 * The differences between the two sides of a change, in the order of the new side. Items with an id are
 * matched by their id.
 */
export function changedFacts(before: unknown, after: unknown): ChangedFact[] {
  const sides = { before: leavesOf(before), after: leavesOf(after) };
  const names = new Set([...sides.after.keys(), ...sides.before.keys()]);
  return [...names].flatMap((key) => {
    const [was, is] = [sides.before.get(key), sides.after.get(key)];
    if (isSame(was?.value, is?.value)) return [];
    return [{ name: (is ?? was)?.name ?? key, before: textOf(was?.value), after: textOf(is?.value) }];
  });
}

interface Leaf {
  name: string;
  value: unknown;
}

/** All non-empty values inside `value`, by their path. */
function leavesOf(value: unknown, name = "", key = ""): Map<string, Leaf> {
  if (value === null || value === undefined) return new Map();
  const members = membersOf(value);
  if (!members) return new Map([[key, { name, value }]]);
  const parts = members.flatMap(([part, member, said]) => {
    const inner = [name, said].filter(Boolean).join(" ");
    return [...leavesOf(member, inner, `${key}/${part}`)];
  });
  return new Map(parts);
}

/**
 * Key, value and label of each property or item. Null for a plain value, and for a list of items without ids.
 */
function membersOf(value: unknown): [string, unknown, string][] | null {
  if (isRecord(value))
    return Object.entries(value)
      .filter(([name]) => name !== "id")
      .map(([name, member]) => [name, member, name.replaceAll("_", " ")]);
  if (!Array.isArray(value) || (value.length > 0 && !value.every((item) => isRecord(item) && "id" in item)))
    return null;
  // Items are matched by their id, but shown by their content, because people do not know the ids.
  return value.map((item: Record<string, unknown>) => [String(item.id), routeText(item), ""]);
}

/** A route as one line. Other items stay unchanged. */
function routeText(item: Record<string, unknown>): unknown {
  const { id: _, models, provider, upstream_model: upstream, ...rest } = item;
  if (!Array.isArray(models) || typeof provider !== "string") return item;
  const more = Object.entries(rest).map(([name, value]) => `${name.replaceAll("_", " ")} ${textOf(value)}`);
  return [`${models.join(", ")} at ${provider} ${upstream}`, ...more].join("; ");
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === "boolean") return value ? "yes" : "no";
  const isTexts = Array.isArray(value) && value.every((each) => typeof each === "string");
  const text = typeof value === "string" ? value : isTexts ? value.join(", ") : JSON.stringify(value);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}
