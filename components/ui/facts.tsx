import type { ReactNode } from "react";

/** Names and values in a plain grid. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[fit-content(50%)_1fr] gap-x-6 overflow-hidden rounded-panel border bg-panel px-4 py-1 max-phone:grid-cols-1">
      {facts.map(([name, value]) => (
        <div
          key={name}
          className="col-span-full grid grid-cols-subgrid items-baseline border-b py-2 last:border-b-0 max-phone:block"
        >
          <dt className="min-w-[120px] text-table text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
