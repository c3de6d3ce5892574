import { isDeepStrictEqual } from "node:util";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { FileChange } from "#contract/operator/file.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";
import type { KnownRoute, NamedRoute } from "../routes/replace.ts";

/** The effect of a file's routes on the table. */
export interface RoutesPlan {
  /** The complete new table. */
  table: NamedRoute[];
  /** New and changed routes of the file, which must be usable. */
  written: RouteEntry[];
  added: number;
  unchanged: number;
  /** Whether anything differs. */
  changes: boolean;
  described: FileChange[];
  notes: string[];
}

/** The list is for people, so it is short. */
const maxNotes = 20;

/** Appends the new routes; existing ones stay unchanged. */
export function addedRoutes(entries: readonly RouteEntry[], here: readonly KnownRoute[]): RoutesPlan {
  const known = new Set(here.map(({ entry }) => plain(entry)));
  const fresh = entries.filter((entry) => !known.has(plain(entry)));
  return {
    table: [...here, ...fresh.map((entry) => ({ entry }))],
    written: fresh,
    added: fresh.length,
    unchanged: entries.length - fresh.length,
    changes: fresh.length > 0,
    described: [],
    notes: [],
  };
}

/**
 * Matches the file's routes to existing ones by content, because routes have no names in a file. A route
 * matches the existing route that is equal. If there is none: the only one that differs just in its use
 * (weight, priority, fields) or has fewer models. Otherwise: the only one that differs just in the upstream's
 * model. Matched routes are put into the file's order at the positions that they have in the table; other
 * routes stay in place.
 */
export function setRoutes(entries: readonly RouteEntry[], here: readonly KnownRoute[]): RoutesPlan {
  const found = matched(entries, here);
  const rows = entries.map((entry) => found.get(entry));
  const taken = new Set(found.values());
  const sequence: NamedRoute[] = entries.map((entry, index) => ({ id: rows[index]?.id, entry }));
  const table = here.map((row): NamedRoute => (taken.has(row) ? (sequence.shift() as NamedRoute) : row));
  table.push(...sequence);

  const described = entries.map((entry, index): FileChange => {
    const row = rows[index];
    const fields = row ? differences(row.entry, entry) : [];
    const change = row ? (fields.length > 0 ? "changed" : "unchanged") : "added";
    return { kind: "route", name: `${entry.models.join(", ")} by ${entry.provider}`, change, fields };
  });
  const places = new Map(here.map((row, index) => [row, index]));
  const inFile = rows.flatMap((row) => places.get(row as KnownRoute) ?? []);
  const isInOrder = inFile.every((place, index) => index === 0 || place > (inFile[index - 1] ?? -1));
  if (!isInOrder) {
    const order = "the order of the routes";
    described.push({ kind: "route", name: order, change: "changed", fields: [] });
  }
  const count = (wanted: FileChange["change"]) => described.filter(({ change }) => change === wanted).length;
  return {
    table,
    written: entries.filter((_, index) => described[index]?.change !== "unchanged"),
    added: count("added"),
    unchanged: count("unchanged"),
    changes: described.some(({ change }) => change !== "unchanged"),
    described,
    notes: notesOn(
      entries,
      here.filter((row) => !taken.has(row)),
    ),
  };
}

type FieldChange = FileChange["fields"][number];

/** The list is for people, so only the first differences are shown. */
const maxFields = 30;

const maxCharacters = 160;

/** The differences between two values, by the path of each field. */
export function differences(before: unknown, after: unknown): FieldChange[] {
  const found = [...differing(before, after, "")];
  if (found.length <= maxFields) return found;
  const rest = found.length - maxFields;
  return [...found.slice(0, maxFields), { name: `and ${rest} more`, from: null, to: null }];
}

function* differing(before: unknown, after: unknown, at: string): Generator<FieldChange> {
  if (isDeepStrictEqual(before, after)) return;
  if (!isRecord(before) || !isRecord(after)) {
    yield { name: at, from: textOf(before), to: textOf(after) };
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before, after].map((side) => (Object.hasOwn(side, name) ? side[name] : undefined));
    yield* differing(was, is, at === "" ? name : `${at}.${name}`);
  }
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(value);
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}

/** The rules for matching a route, the most certain first. */
const ways: { of(entry: RouteEntry): string; fits(wanted: RouteEntry, here: RouteEntry): boolean }[] = [
  {
    of: ({ provider, upstream_model, api_types, regions }) =>
      plain([provider, upstream_model, sorted(api_types), sorted(regions)]),
    fits: (wanted, here) => here.models.every((model) => wanted.models.includes(model)),
  },
  {
    of: ({ provider, models, api_types, regions }) =>
      plain([provider, sorted(models), sorted(api_types), sorted(regions)]),
    fits: () => true,
  },
];

function matched(entries: readonly RouteEntry[], here: readonly KnownRoute[]): Map<RouteEntry, KnownRoute> {
  const found = new Map<RouteEntry, KnownRoute>();
  const free = new Set(here);
  const take = (entry: RouteEntry, row: KnownRoute) => {
    found.set(entry, row);
    free.delete(row);
  };
  const equal = groupsOf(here, ({ entry }) => plain(entry));
  for (const entry of entries) {
    const row = equal.get(plain(entry))?.shift();
    if (row) take(entry, row);
  }
  for (const { of, fits } of ways) {
    const rows = groupsOf([...free], ({ entry }) => of(entry));
    const wanted = groupsOf(
      entries.filter((entry) => !found.has(entry)),
      of,
    );
    for (const [name, same] of wanted) {
      const others = rows.get(name) ?? [];
      for (const entry of same) {
        const fitting = others.filter((row) => fits(entry, row.entry));
        const [row] = fitting;
        const isOnly = row && fitting.length === 1 && same.filter((one) => fits(one, row.entry)).length === 1;
        if (isOnly) take(entry, row);
      }
    }
  }
  return found;
}

function groupsOf<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

/** Names other routes of the same models, because they may be tried first or share the load. */
function notesOn(entries: readonly RouteEntry[], others: readonly KnownRoute[]): string[] {
  const models = new Set(entries.flatMap((entry) => entry.models));
  const notes = others.flatMap(({ entry }) => {
    const shared = entry.models.filter((model) => models.has(model));
    if (shared.length === 0) return [];
    return [`A route of ${shared.join(", ")} to ${entry.provider} is not in the file. It stays.`];
  });
  return notes.slice(0, maxNotes);
}

function sorted(names: readonly string[] | undefined): readonly string[] | null {
  return names ? [...names].sort() : null;
}

/** A text that is the same for equal values, whatever the order of their fields. */
function plain(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** Merges two objects; the second wins, and fields that it does not name are kept. */
export function merged<Value>(before: Value, after: Value): Value {
  if (!isRecord(before) || !isRecord(after)) return after;
  const both = new Map<string, unknown>(Object.entries(before));
  for (const [name, value] of Object.entries(after)) both.set(name, merged(both.get(name), value));
  return Object.fromEntries(both) as Value;
}
