import type { ReactElement, ReactNode } from "react";
import { useWords } from "#words";
import { Table } from "./table.tsx";

/** Below this width, the columns scroll inside the table. */
const minWidths: Record<number, string> = {
  1: "min-w-96",
  2: "min-w-[640px]",
  3: "min-w-[880px]",
  4: "min-w-[1120px]",
};

interface CompareTableProps {
  label: string;
  /** The head of each column. */
  heads: readonly ReactElement[];
  /** Rows and groups. */
  children: ReactNode;
}

/** Things side by side, a column for each. Screen readers hear the name of the property with each cell. */
export function CompareTable({ label, heads, children }: CompareTableProps) {
  const t = useWords("ui");
  return (
    <Table label={label} className={`table-fixed ${minWidths[heads.length] ?? ""}`}>
      <colgroup>
        <col className="w-32 max-phone:w-24" />
      </colgroup>
      <thead>
        <tr>
          <th
            scope="col"
            className="sticky left-0 z-2 w-32 border-b max-phone:w-24 bg-panel px-3 text-left align-top"
          >
            <span className="sr-only">{t("property")}</span>
          </th>
          {heads.map((head) => (
            <th
              key={head.key}
              scope="col"
              className="border-b border-l px-3 py-2 text-left align-top font-normal"
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </Table>
  );
}

/** One property of everything compared. Its name stays visible while the columns scroll. */
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

/** The heading of a group of rows. */
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
