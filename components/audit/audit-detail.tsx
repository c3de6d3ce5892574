import { Fragment, type ReactNode } from "react";
import { isRecord, isSame } from "#contract/input-schema/json-values.ts";
import { useWords } from "#words";
import { IdChip } from "@/components/ui/id-chip";
import { Time } from "@/components/ui/time";
import { cutInMiddle } from "@/lib/format";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

type T = Words<"auditLog">;

const maxFacts = 8;

/** Longer values are cut and can be opened: an endpoint's URL can have 2,048 characters. */
const shownLength = 80;

/** One difference between the two sides of a change. Null where a side has no value. */
interface ChangedFact {
  name: string;
  before: string | null;
  after: string | null;
}

const maxTextLength = 160;

interface Leaf {
  name: string;
  value: unknown;
}

/** The facts of a change, one line each. For a change with `before` and `after`, only their differences. */
export function AuditDetail({ detail }: { detail: Record<string, unknown> | null }) {
  const t = useWords("auditLog");
  const { before, after, ...rest } = detail ?? {};
  const changed = detail && "before" in detail && "after" in detail ? changedFacts(t, before, after) : null;
  // What the change itself says is not said twice, and a fact without a value says nothing.
  const isNew = ([name, value]: [string, unknown]) =>
    !changed?.some((fact) => fact.name === label(t, name) && fact.after === cutText(t, name, value));
  const facts = Object.entries(changed ? rest : (detail ?? {})).filter(
    (fact) => (fact[0] === "kept_until" || valueText(t, ...fact) !== "") && isNew(fact),
  );
  if (facts.length === 0 && !changed?.length) return <span className="text-faint">–</span>;
  return (
    <dl className="text-meta">
      {facts.map(([name, value]) =>
        name === "kept_until" && value === null ? (
          <Line key={name} name={t("factKept")}>
            {t("factWithoutEnd")}
          </Line>
        ) : (
          <Line key={name} name={label(t, name === "of" && "part" in rest ? "of_parts" : name)}>
            {isId(name) ? (
              <IdChip id={valueText(t, name, value)} />
            ) : (
              <Value text={valueText(t, name, value)} />
            )}
          </Line>
        ),
      )}
      {changed?.slice(0, maxFacts).map((fact, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list of a past change never changes
        <Line key={at} name={fact.name}>
          <Difference {...fact} />
        </Line>
      ))}
      {changed && changed.length > maxFacts && (
        <Line name={t("factAnd")}>{t("factMore", { count: changed.length - maxFacts })}</Line>
      )}
    </dl>
  );
}

/**
 * The differences between the two sides of a change, in the order of the new side. Items with an id are
 * matched by their id.
 */
export function changedFacts(t: T, before: unknown, after: unknown): ChangedFact[] {
  const sides = { before: leavesOf(t, before), after: leavesOf(t, after) };
  const names = new Set([...sides.after.keys(), ...sides.before.keys()]);
  return [...names].flatMap((key) => {
    const [was, is] = [sides.before.get(key), sides.after.get(key)];
    if (isSame(was?.value, is?.value)) return [];
    const field = key.slice(key.lastIndexOf("/") + 1);
    return [
      {
        name: (is ?? was)?.name ?? key,
        before: was ? cutText(t, field, was.value) : null,
        after: is ? cutText(t, field, is.value) : null,
      },
    ];
  });
}

/** All non-empty values inside `value`, by their path. */
function leavesOf(t: T, value: unknown, name = "", key = ""): Map<string, Leaf> {
  if (value === null || value === undefined) return new Map();
  const members = membersOf(t, value);
  if (!members) return new Map([[key, { name, value }]]);
  const parts = members.flatMap(([part, member, said]) => {
    const inner = [name, said].filter(Boolean).join(" ");
    return [...leavesOf(t, member, inner, `${key}/${part}`)];
  });
  return new Map(parts);
}

/**
 * Key, value and label of each property or item. Null for a plain value, and for a list of items without ids.
 */
function membersOf(t: T, value: unknown): [string, unknown, string][] | null {
  if (isRecord(value))
    return Object.entries(value)
      .filter(([name]) => name !== "id")
      .map(([name, member]) => [name, member, label(t, name)]);
  if (!Array.isArray(value) || (value.length > 0 && !value.every((item) => isRecord(item) && "id" in item)))
    return null;
  // Items are matched by their id, but shown by their content, because people do not know the ids.
  return value.map((item: Record<string, unknown>) => [String(item.id), routeText(t, item), ""]);
}

/** A route as one line. Other items stay unchanged. */
function routeText(t: T, item: Record<string, unknown>): unknown {
  const { id: _, models, provider, upstream_model: upstream, ...rest } = item;
  if (!Array.isArray(models) || typeof provider !== "string") return item;
  const route = t("factRoute", {
    models: listText(t.language, models.map(String), "plain"),
    provider,
    upstream: String(upstream),
  });
  return listText(t.language, [route, ...factsOf(t, rest)], "parts");
}

function cutText(t: T, name: string, value: unknown): string {
  const text = valueText(t, name, value);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

/** The value of a field as text: in the reader's language, if it is a word of ours. Empty if it says nothing. */
function valueText(t: T, name: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return t(value ? "factYes" : "factNo");
  if (Array.isArray(value)) {
    const items = value.map((item) => valueText(t, name, item));
    return listText(t.language, items, value.some(isRecord) ? "parts" : "plain");
  }
  if (isRecord(value)) return listText(t.language, factsOf(t, value), "plain");
  const known = `value.${name}.${String(value).replace("-", "_")}`;
  return t.has(known) ? t.text(known) : String(value);
}

/** The facts of an object, each with its name. Facts without a value are left out. */
function factsOf(t: T, facts: Record<string, unknown>): string[] {
  return Object.entries(facts).flatMap(([name, value]) => {
    const text = valueText(t, name, value);
    return text === "" ? [] : [`${label(t, name)} ${text}`];
  });
}

function isId(name: string): boolean {
  return /(^|_)id$/.test(name);
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-1.5">
      <dt className="max-w-1/2 shrink-0 text-muted">{name}</dt>
      <dd data-name className="min-w-0 wrap-anywhere">
        {children}
      </dd>
    </div>
  );
}

function Value({ text }: { text: string }) {
  const short = cutInMiddle(text, shownLength);
  if (short === text) return withTimes(text);
  return (
    <details>
      <summary className="cursor-pointer break-all">{withTimes(short)}</summary>
      {withTimes(text)}
    </details>
  );
}

const rfc3339 = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A text whose times are shown as on every other page. */
function withTimes(text: string): ReactNode {
  return text.split(rfc3339).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text of a past change never changes
    <Fragment key={at}>{at % 2 === 1 ? <Time value={part} mode="absolute" /> : part}</Fragment>
  ));
}

function Difference({ before, after }: ChangedFact) {
  return (
    <>
      {before !== null && <del>{withTimes(before)}</del>} {after !== null && withTimes(after)}
    </>
  );
}

/** A field's name: in the reader's language, or for fields that no message names, words made from the key. */
function label(t: T, name: string): string {
  const known = `field.${name}`;
  return t.has(known) ? t.text(known) : name.replaceAll("_", " ");
}
