import Link from "next/link";
import type { Tone } from "@/lib/status/tone";

export interface Figure {
  label: string;
  count: number;
  href: string;
  /** Only a count above zero takes the tone. */
  tone?: Tone;
  /** The list was cut at its page size. */
  atLeast?: boolean;
}

const toneText: Partial<Record<Tone, string>> = {
  bad: "text-bad",
  warn: "text-warn",
  busy: "text-busy",
  good: "text-good",
};

/** Counts that lead to what they count. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  if (figures.length === 0) return null;
  const wide = figures.length > 3 ? "desktop:grid-cols-6" : "";
  return (
    <ul
      className={`mb-8 grid grid-cols-2 gap-px overflow-hidden rounded-panel border bg-(--line) tablet:grid-cols-3 ${wide}`}
    >
      {figures.map(({ label, count, href, tone, atLeast }) => (
        <li key={label} className="bg-panel max-tablet:last:odd:col-span-2">
          <Link
            href={href}
            className="flex flex-col gap-0.5 px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-2!"
          >
            <span
              className={`tabular text-page font-semibold ${(count > 0 && tone && toneText[tone]) || ""}`}
            >
              {count}
              {atLeast && count > 0 && "+"}
            </span>
            <span className="text-table text-muted">{label}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
