import type { ReactNode } from "react";
import { cutInMiddle } from "@/lib/format";
import { type ChangedFact, changedFacts } from "./changed-facts.ts";

const maxFacts = 8;
/** Longer values are cut and can be opened: an endpoint's URL can have 2,048 characters. */
const shownLength = 80;

/** The facts of a change, one line each. For a change with `before` and `after`, only their differences. */
export function AuditDetail({ detail }: { detail: Record<string, unknown> | null }) {
  const { before, after, ...rest } = detail ?? {};
  const changed = detail && "before" in detail && "after" in detail ? changedFacts(before, after) : null;
  const facts = Object.entries(changed ? rest : (detail ?? {}));
  if (facts.length === 0 && !changed?.length) return <span className="text-faint">–</span>;
  return (
    <dl className="text-meta">
      {facts.map(([name, value]) =>
        name === "kept_until" && value === null ? (
          <Line key={name} name="kept">
            without end
          </Line>
        ) : (
          <Line key={name} name={name.replaceAll("_", " ")} isId={name.endsWith("id")}>
            <Value text={textOf(value)} />
          </Line>
        ),
      )}
      {changed?.slice(0, maxFacts).map((fact, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list of a past change never changes
        <Line key={at} name={fact.name}>
          <Difference {...fact} />
        </Line>
      ))}
      {changed && changed.length > maxFacts && <Line name="and">{changed.length - maxFacts} more</Line>}
    </dl>
  );
}

function Line({ name, isId = false, children }: { name: string; isId?: boolean; children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="max-w-1/2 shrink-0 text-muted">{name}</dt>
      <dd className={`min-w-0 wrap-anywhere ${isId ? "font-mono" : ""}`}>{children}</dd>
    </div>
  );
}

function Value({ text }: { text: string }) {
  const short = cutInMiddle(text, shownLength);
  if (short === text) return text;
  return (
    <details>
      <summary className="cursor-pointer break-all">{short}</summary>
      {text}
    </details>
  );
}

function Difference({ before, after }: ChangedFact) {
  return (
    <>
      {before !== null && <del>{before}</del>} {after}
    </>
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ");
  return JSON.stringify(value) ?? "";
}
