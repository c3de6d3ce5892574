import type { ReactNode } from "react";

export type FactRow = readonly [name: string, value: ReactNode];

/** Names and values side by side; rows without a value are left out. */
export function FactList({ rows }: { rows: readonly (FactRow | null)[] }) {
  return (
    <dl className="grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] items-center gap-x-6 gap-y-1 text-table">
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]} className="contents">
              <dt className="self-start py-0.5 text-muted">{row[0]}</dt>
              <dd className="min-w-0 py-0.5 text-ink wrap-anywhere">{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
