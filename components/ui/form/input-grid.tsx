"use client";

import { Trash2, X } from "lucide-react";
import {
  type ChangeEvent,
  type ClipboardEvent,
  type ComponentProps,
  type KeyboardEvent,
  useId,
  useRef,
} from "react";
import { nearestName } from "#contract/nearest-name.ts";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import {
  type InputTable,
  isRange,
  withCell,
  withColumn,
  withColumnNamed,
  withoutColumn,
  withoutRow,
  withPasted,
} from "@/lib/input-table";

/** A possible column of the table. */
export interface GridColumn {
  name: string;
  title: string;
  /** What the head of the column shows. Without it, the name. */
  head?: string;
  /** The values to choose from. Any other pasted value stays unchanged. */
  choices?: readonly { value: string; label: string }[];
}

/** The fault of a row, and its column. */
export interface GridFault {
  column: string | null;
  message: string;
}

interface InputGridProps {
  /** Names the table. */
  label: string;
  table: InputTable;
  /** The rows of this page, by index in the table. */
  rows: readonly number[];
  known: readonly GridColumn[];
  faults: ReadonlyMap<number, readonly GridFault[]>;
  /** Columns that are not inputs. */
  ignored?: readonly string[];
  /** Columns that cannot be removed. */
  fixed?: readonly string[];
  /** True for short values: the columns may be narrow. */
  dense?: boolean;
  onChange: (table: InputTable) => void;
  /** For changes of more than one cell, which can be undone. */
  onReplace: (table: InputTable) => void;
}

/** A table to type in, or to paste a spreadsheet range into. */
export function InputGrid({ table, rows, known, faults, onChange, onReplace, ...rest }: InputGridProps) {
  const t = useWords("ui");
  const { label, ignored = [], fixed = [], dense = false } = rest;
  const id = useId();
  const body = useRef<HTMLTableSectionElement>(null);
  const names = known.map(({ name }) => name);
  const shownName = (name: string) => knownBy.get(name)?.head ?? name;
  const knownBy = new Map(known.map((column) => [column.name, column]));
  const others = known.filter(({ name }) => !table.columns.includes(name));

  const onPaste = (event: ClipboardEvent, row: number, column: number) => {
    const text = event.clipboardData.getData("text/plain");
    if (!isRange(text)) return;
    event.preventDefault();
    onReplace(withPasted(table, { row, column }, text, names));
  };
  /** Enter moves down, as in a spreadsheet. Shift+Enter starts a new line. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, row: number, column: number) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (row + 1 >= table.rows.length) onChange({ ...table, rows: [...table.rows, []] });
    requestAnimationFrame(() =>
      body.current?.querySelector<HTMLElement>(`[data-cell="${row + 1}:${column}"]`)?.focus(),
    );
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: no element says "group" outside forms.
    <div role="group" aria-label={label} className="relative overflow-x-auto rounded-panel border bg-panel">
      <table aria-label={label} className="w-full border-collapse text-table">
        <thead>
          <tr>
            <th scope="col" className="w-10 border-b px-2 py-2 text-right text-meta text-muted">
              #
            </th>
            {table.columns.map((name, column) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: a file may have a name twice, which the check then refuses.
                key={`${name}:${column}`}
                scope="col"
                className="border-b border-l px-2 py-1 text-left text-meta font-medium"
              >
                <span className="flex items-center gap-1">
                  <span className="flex-1 font-mono whitespace-nowrap">
                    {shownName(name)}
                    {ignored.includes(name) && (
                      <NoInput
                        name={name}
                        unused={names.filter((known) => !table.columns.includes(known))}
                        onRename={(meant) => onReplace(withColumnNamed(table, column, meant))}
                      />
                    )}
                  </span>
                  {!fixed.includes(name) && (
                    <IconButton
                      size="sm"
                      label={t("removeColumn", { name: shownName(name) })}
                      icon={<X size={13} aria-hidden />}
                      onClick={() => onReplace(withoutColumn(table, column))}
                    />
                  )}
                </span>
              </th>
            ))}
            <th scope="col" className="w-10 border-b border-l px-1">
              {others.length > 0 && (
                <select
                  aria-label={t("addColumn")}
                  value=""
                  onChange={(event) => onChange(withColumn(table, event.target.value))}
                  className="control-height w-28 rounded-control border border-strong bg-panel px-1 text-meta font-normal text-ink"
                >
                  <option value="">{t("addColumn")}</option>
                  {others.map(({ name, title }) => (
                    <option key={name} value={name}>
                      {title}
                    </option>
                  ))}
                </select>
              )}
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => {
            const found = faults.get(row) ?? [];
            const messageId = `${id}-${row}`;
            return (
              <tr key={row} className="border-b align-top last:border-b-0">
                <th
                  scope="row"
                  className={`tabular px-2 py-2 text-right text-meta font-normal ${found.length > 0 ? "text-bad" : "text-muted"}`}
                >
                  {row + 1}
                </th>
                {table.columns.map((name, column) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: as its header.
                    key={`${name}:${column}`}
                    className={`${dense ? "min-w-20" : "min-w-32"} border-l p-0 has-[[aria-invalid]]:bg-bad-soft`}
                  >
                    <GridCell
                      data-cell={`${row}:${column}`}
                      aria-label={t("cell", { column: shownName(name), row: String(row + 1) })}
                      aria-invalid={found.some((fault) => fault.column === name) || undefined}
                      aria-describedby={found.length > 0 ? messageId : undefined}
                      value={table.rows[row]?.[column] ?? ""}
                      choices={knownBy.get(name)?.choices}
                      onChange={(event) => onChange(withCell(table, row, column, event.target.value))}
                      onPaste={(event) => onPaste(event, row, column)}
                      onKeyDown={(event) => onKeyDown(event, row, column)}
                    />
                  </td>
                ))}
                <td className="border-l px-2 py-1.5">
                  <span className="flex items-start gap-2">
                    <span id={messageId} className="block min-w-48 flex-1 text-meta text-bad empty:hidden">
                      {found.map(({ message }) => message).join(" ")}
                    </span>
                    <IconButton
                      size="sm"
                      label={t("removeRow", { row: String(row + 1) })}
                      icon={<Trash2 size={13} aria-hidden />}
                      onClick={() => onReplace(withoutRow(table, row))}
                    />
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface NoInputProps {
  name: string;
  /** Columns that the table does not have yet. */
  unused: readonly string[];
  onRename: (meant: string) => void;
}

/** Shown beside the name of a column that is not an input, with the input that was probably meant. */
function NoInput({ name, unused, onRename }: NoInputProps) {
  const t = useWords("ui");
  const meant = nearestName(name, unused);
  return (
    <span className="font-sans text-muted">
      {" "}
      {meant === null
        ? t("noInput")
        : t.rich(
            "noInputMeant",
            { name: meant },
            {
              meant: (content) => (
                <button
                  key="meant"
                  type="button"
                  className="text-ink underline"
                  onClick={() => onRename(meant)}
                >
                  {content}
                </button>
              ),
            },
          )}
    </span>
  );
}

interface GridCellProps {
  value: string;
  choices: GridColumn["choices"];
  onChange: (event: ChangeEvent<HTMLTextAreaElement | HTMLSelectElement>) => void;
  onPaste: (event: ClipboardEvent) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** A cell that grows with its text, or a select. */
function GridCell({
  choices,
  ...props
}: GridCellProps & Pick<ComponentProps<"div">, "aria-label" | "aria-invalid" | "aria-describedby">) {
  const t = useWords("ui");
  const { value } = props;
  if (choices)
    return (
      <select
        {...(props as ComponentProps<"select">)}
        className="block h-9 w-full bg-transparent px-2 text-ink focus-visible:-outline-offset-2!"
      >
        {!choices.some((choice) => choice.value === value) && (
          <option value={value}>{value || t("choose")}</option>
        )}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    );
  return (
    <textarea
      rows={1}
      spellCheck={false}
      {...(props as ComponentProps<"textarea">)}
      className="block max-h-40 min-h-9 w-full resize-none bg-transparent px-2 py-2 leading-5 text-ink [field-sizing:content] focus-visible:-outline-offset-2!"
    />
  );
}
