import type { ReactNode } from "react";
import type { FactRow } from "./compare-facts.ts";

/** One property of all predictions; its name stays in sight while the columns scroll. */
export function CompareRow({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <tr className="border-b last:border-b-0">
      <th
        scope="row"
        className="sticky left-0 z-1 row-padding w-32 bg-panel px-3 max-phone:w-24 text-left align-top font-medium wrap-anywhere"
      >
        {name}
      </th>
      {children}
    </tr>
  );
}

export function CompareCell({ marked, children }: { marked?: boolean; children: ReactNode }) {
  return (
    <td className={`row-padding border-l px-3 align-top wrap-anywhere ${marked ? "bg-accent-soft" : ""}`}>
      {children}
    </td>
  );
}

/** The head of a group of rows. */
export function CompareGroup({ name, columns }: { name: string; columns: number }) {
  return (
    <tr className="border-b bg-sunken">
      <th
        scope="rowgroup"
        colSpan={columns + 1}
        className="px-3 py-1.5 text-left text-meta font-medium text-muted"
      >
        <span className="sticky left-3">{name}</span>
      </th>
    </tr>
  );
}

interface FactRowsProps {
  facts: readonly FactRow[];
  ids: readonly string[];
  mono?: boolean;
  /** Colours the cells of rows that differ. */
  highlight?: boolean;
}

export function FactRows({ facts, ids, mono, highlight }: FactRowsProps) {
  return facts.map((fact) => (
    <CompareRow
      key={fact.name}
      name={
        <>
          <span className={mono ? "font-mono" : undefined}>{fact.name}</span>
          {highlight && fact.differs && <span className="sr-only"> differs</span>}
        </>
      }
    >
      {fact.values.map((value, column) => (
        <CompareCell key={ids[column]} marked={highlight === true && fact.differs}>
          {value === null ? (
            <span className="text-muted">not set</span>
          ) : (
            <div className="max-h-60 overflow-y-auto whitespace-pre-wrap">{value}</div>
          )}
        </CompareCell>
      ))}
    </CompareRow>
  ));
}
