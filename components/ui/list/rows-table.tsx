"use client";

import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { useWords } from "#words";
import { Checkbox } from "@/components/ui/form/checkbox";
import { classNames } from "../looks.ts";
import { type ColumnFrom, RowControls, Table, Td, Th, Tr } from "./table.tsx";

/** A column of a list: its head and its cells. */
export interface Column<Row> {
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /**
   * The window width from which on this is a column. On a phone, the cell is shown below the row's first
   * line, after the text of the head.
   */
  from?: ColumnFrom;
  /** Classes for the head and its cells. */
  className?: string;
  /** Classes for the cells only. */
  cellClass?: string;
  /** Numbers are right-aligned. */
  numeric?: boolean;
}

/** Ticked rows. */
export interface RowSelection<Row> {
  ids: ReadonlySet<string>;
  set: (ids: ReadonlySet<string>) => void;
  /** Label of a row's checkbox, e.g. `Compare pred_01`. */
  labelOf: (row: Row) => string;
  /** Label of the checkbox that ticks all rows. Without it there is no such checkbox. */
  allLabel?: string;
  /** The head's text for screen readers, if it has no checkbox. */
  head?: string;
  /** How many rows can be ticked at once. */
  max?: number;
}

interface RowsTableProps<Row> {
  /** Names the table and its scrolling region. */
  label: string;
  rows: readonly Row[];
  columns: readonly (Column<Row> | false)[];
  selection?: RowSelection<Row> | undefined;
  className?: string;
}

/**
 * A list as a table. Shift ticks the rows between two checkboxes, as in a mail program. On a checkbox, the arrow
 * keys walk, with Shift they tick, and Enter goes to the actions of the `SelectionBar`.
 */
export function RowsTable<Row extends { id: string }>(props: RowsTableProps<Row>) {
  const { label, rows, selection, className } = props;
  const columns = props.columns.filter((column) => column !== false);
  const lastClicked = useRef("");
  const select = ({ ids, set, max = rows.length }: RowSelection<Row>, id: string, range: boolean) => {
    const next = new Set(ids);
    const change = ids.has(id)
      ? (each: string) => next.delete(each)
      : (each: string) => next.size < max && next.add(each);
    for (const each of range ? idsBetween(rows, lastClicked.current, id) : [id]) change(each);
    lastClicked.current = id;
    set(next);
  };
  const onBoxKey = (event: KeyboardEvent, ticked: RowSelection<Row>) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const boxes = [
      ...(event.currentTarget.closest("tbody")?.querySelectorAll<HTMLElement>("[data-box] input") ?? []),
    ];
    const at = boxes.indexOf(event.target as HTMLElement);
    const next = step === 0 ? selectionActions() : boxes[at + step];
    if ((step === 0 && event.key !== "Enter") || !next) return;
    event.preventDefault();
    next.focus();
    if (step === 0 || !event.shiftKey) return;
    const ids = [rows[at], rows[at + step]].flatMap((row) => row?.id ?? []);
    const all = new Set([...ticked.ids, ...ids]);
    if (all.size <= (ticked.max ?? Infinity)) ticked.set(all);
    lastClicked.current = ids[1] ?? "";
  };
  return (
    <Table label={label} className={className}>
      <thead>
        <tr>
          {selection && (
            <Th className="w-9">
              <SelectionHead rows={rows} selection={selection} />
            </Th>
          )}
          {columns.map(({ head, from, className, numeric = false }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns stay in their places.
            <Th key={index} from={from} className={className} numeric={numeric}>
              {head}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.id} aria-selected={selection?.ids.has(row.id)}>
            {selection && (
              <Td className="pr-0!" data-box onKeyDown={(event) => onBoxKey(event, selection)}>
                <RowControls>
                  <Checkbox
                    hideLabel
                    label={selection.labelOf(row)}
                    checked={selection.ids.has(row.id)}
                    disabled={!selection.ids.has(row.id) && selection.ids.size >= (selection.max ?? Infinity)}
                    onChange={({ nativeEvent }) =>
                      select(selection, row.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                    }
                  />
                </RowControls>
              </Td>
            )}
            {columns.map(({ head, cell, from, className, cellClass, numeric = false }, index) => (
              <Td
                // biome-ignore lint/suspicious/noArrayIndexKey: columns stay in their places.
                key={index}
                from={from}
                label={from && (typeof head === "string" ? head : "")}
                className={classNames(className, cellClass)}
                numeric={numeric}
              >
                {cell(row)}
              </Td>
            ))}
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function SelectionHead<Row extends { id: string }>({
  rows,
  selection,
}: {
  rows: readonly Row[];
  selection: RowSelection<Row>;
}) {
  const { ids, set, allLabel, head } = selection;
  if (!allLabel) return <span className="sr-only">{head}</span>;
  return (
    <Checkbox
      hideLabel
      label={allLabel}
      checked={rows.length > 0 && rows.every(({ id }) => ids.has(id))}
      onChange={({ currentTarget: { checked } }) => {
        // Rows of other pages stay as they are.
        const next = new Set(ids);
        for (const { id } of rows) checked ? next.add(id) : next.delete(id);
        set(next);
      }}
    />
  );
}

/** The id of the `SelectionBar`. */
export const selectionBarId = "selection";

function selectionActions(): HTMLElement | null {
  return document.querySelector<HTMLElement>(`#${selectionBarId} button:not(:disabled)`);
}

/** The heading of a column of buttons, for screen readers. */
export const actionsHead = <ActionsHead />;

function ActionsHead() {
  return <span className="sr-only">{useWords("ui")("actions")}</span>;
}

/** The ids of `rows` between the two, in either order. Only `to` if `from` is not among them. */
function idsBetween(rows: readonly { id: string }[], from: string, to: string): string[] {
  const start = rows.findIndex(({ id }) => id === from);
  const end = rows.findIndex(({ id }) => id === to);
  if (start === -1 || end === -1) return [to];
  return rows.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ id }) => id);
}
