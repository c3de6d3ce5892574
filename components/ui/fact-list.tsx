import type { ReactNode } from "react";

export type FactRow = readonly [name: string, value: ReactNode];

/** Names and values side by side, without rows that have no value. */
export function FactList({ rows }: { rows: readonly (FactRow | null)[] }) {
  return (
    <dl className="grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] items-center gap-x-6 text-table">
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]} className="contents">
              <dt className="flex min-h-7 items-center self-start text-muted">{row[0]}</dt>
              <dd className="min-h-7 min-w-0 content-center text-ink wrap-anywhere">{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
