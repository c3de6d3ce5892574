import type { StatusCount } from "#contract/summary.ts";
import { Link } from "@/components/ui/link";
import { formatNumber } from "@/lib/format";
import type { Tone } from "@/lib/status/tone";

export interface Figure {
  label: string;
  count: StatusCount;
  href: string;
  /** Only a count above zero takes the tone. */
  tone?: Tone;
}

const toneText: Partial<Record<Tone, string>> = {
  bad: "text-bad",
  warn: "text-warn",
  busy: "text-busy",
  good: "text-good",
};

/** Counts of the last 24 hours that lead to what they count. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  if (figures.length === 0) return null;
  const many = figures.length > 4;
  const columns = many ? "tablet:grid-cols-4 desktop:grid-cols-7" : "tablet:grid-flow-col";
  const last = many ? "max-desktop:last:odd:col-span-2" : "max-tablet:last:odd:col-span-2";
  return (
    <ul
      className={`mb-8 grid auto-cols-fr grid-cols-2 gap-px overflow-hidden rounded-panel border bg-(--line) ${columns}`}
    >
      {figures.map(({ label, count: { count, more }, href, tone }) => (
        <li key={label} className={`bg-panel ${last}`}>
          <Link
            href={href}
            className="flex h-full flex-col gap-0.5 px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-2!"
          >
            <span
              className={`tabular text-page font-semibold ${(count > 0 && tone && toneText[tone]) || ""}`}
            >
              {formatNumber(count)}
              {more && "+"}
            </span>
            <span className="text-table text-ink">{label} </span>
            <span className="mt-auto text-meta text-muted">last 24 h</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
