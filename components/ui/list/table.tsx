import type { ComponentProps, ReactNode } from "react";
import { LinkPending } from "@/components/ui/page/link";
import { classNames } from "../looks.ts";
import { RowAnchor } from "./row-anchor.tsx";

interface TableProps extends Omit<ComponentProps<"table">, "aria-label"> {
  /** Names the table and its scrolling region. */
  label: string;
}

/**
 * A plain table that scrolls sideways in its own region. If its cells have labels, it has no columns on a
 * phone.
 */
export function Table({ label, className, children, ...rest }: TableProps) {
  return (
    // A group, not a landmark, because pages have several tables inside sections of the same name.
    // biome-ignore lint/a11y/useSemanticElements: no element says "group" outside forms.
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="relative overflow-x-auto rounded-panel border bg-panel"
    >
      <table
        {...rest}
        aria-label={label}
        className={classNames("w-full border-collapse text-table", className)}
      >
        {children}
      </table>
    </div>
  );
}

/** The minimum width at which a column is visible. Below it, down to phones, the column is hidden. */
export type ColumnFrom = "tablet" | "desktop" | "wide";

const hiddenUntil: Record<ColumnFrom, string | null> = {
  tablet: null,
  desktop: "tablet:max-desktop:hidden",
  wide: "tablet:max-wide:hidden",
};

interface CellProps {
  /** Numbers are right-aligned. */
  numeric?: boolean;
  from?: ColumnFrom | undefined;
}

export function Th({ numeric, from = "tablet", className, ...rest }: ComponentProps<"th"> & CellProps) {
  return (
    <th
      scope="col"
      {...rest}
      className={classNames(
        "border-b px-3 py-2 max-phone:px-2 text-meta font-medium whitespace-nowrap text-muted",
        numeric ? "text-right" : "text-left",
        hiddenUntil[from],
        className,
      )}
    />
  );
}

export function Tr({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr
      {...rest}
      className={classNames(
        "relative border-b last:border-b-0 hover:bg-sunken has-[a[data-row-link]:focus-visible]:bg-sunken aria-selected:bg-accent-soft",
        className,
      )}
    />
  );
}

interface DataCellProps extends CellProps {
  /** On a phone, the cell is shown below its row's first line, after this label (app/phone-rows.css). */
  label?: string | undefined;
}

export function Td({
  numeric,
  from = "tablet",
  label,
  className,
  children,
  ...rest
}: ComponentProps<"td"> & DataCellProps) {
  return (
    <td
      {...rest}
      data-label={label}
      data-empty={children === "–" || undefined}
      className={classNames(
        "row-padding px-3 align-middle max-phone:px-2",
        numeric && "tabular text-right",
        hiddenUntil[from],
        className,
      )}
    >
      {children}
    </td>
  );
}

/**
 * The row's own link, in its first cell. It covers the whole `<Tr>`, so that a click anywhere opens the row
 * and a new tab works. Put the row's other controls into `<RowControls>`.
 */
export function RowLink({ className, children, ...rest }: ComponentProps<typeof RowAnchor>) {
  return (
    <RowAnchor
      {...rest}
      data-row-link
      className={classNames("font-medium text-ink after:absolute after:inset-0 hover:text-accent", className)}
    >
      {children}
      <LinkPending />
    </RowAnchor>
  );
}

/** Raises buttons, checkboxes and chips of a row above the row's link. */
export function RowControls({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <span className={classNames("relative z-1 inline-flex items-center gap-1 align-middle", className)}>
      {children}
    </span>
  );
}
