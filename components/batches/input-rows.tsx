"use client";

import { ChevronLeft, ChevronRight, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import type { BatchCheck, BatchFault } from "#contract/batches.ts";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { type GridFault, InputGrid } from "@/components/ui/form/input-grid";
import { type BatchDraft, rowsSent } from "@/lib/batches/draft";
import { describeFault, faultsByRow } from "@/lib/batches/faults";
import type { BatchColumn } from "@/lib/batches/operations";
import type { InputTable } from "@/lib/input-table";

/** Showing a thousand rows of fields at once would make typing slow. */
const rowsPerPage = 50;

interface InputRowsProps {
  draft: BatchDraft;
  columns: readonly BatchColumn[];
  check: BatchCheck | null;
  onChange: (table: InputTable) => void;
  onReplace: (table: InputTable) => void;
}

/** The inputs page by page, or only those with faults. */
export function InputRows({ draft, columns, check, onChange, onReplace }: InputRowsProps) {
  const { table } = draft;
  const [page, setPage] = useState(0);
  const [onlyFaults, setOnlyFaults] = useState(false);
  const found = useMemo(() => {
    // A typed table has no line numbers that anybody could see.
    return (check?.faults ?? []).map((fault) => (draft.file ? fault : { ...fault, line: null }));
  }, [check, draft.file]);
  const faults = useMemo(() => faultsByRow(found, rowsSent(draft)), [found, draft]);
  const gridFaults = useMemo(() => {
    const words = ([row, ofRow]: [number, BatchFault[]]): [number, GridFault[]] => [
      row,
      ofRow.map((fault) => ({ column: fault.column, message: describeFault(fault) })),
    ];
    return new Map([...faults].map(words));
  }, [faults]);
  const general = found.filter(({ row }) => row === null);
  const all = useMemo(() => table.rows.map((_, row) => row), [table.rows]);
  const shown = onlyFaults && faults.size > 0 ? all.filter((row) => faults.has(row)) : all;
  const pages = Math.max(1, Math.ceil(shown.length / rowsPerPage));
  const at = Math.min(page, pages - 1);
  const rows = shown.slice(at * rowsPerPage, (at + 1) * rowsPerPage);

  return (
    <div className="min-w-0 space-y-2">
      {general.length > 0 && (
        <ul className="rounded-panel border border-bad bg-bad-soft px-4 py-2 text-table">
          {general.map((fault) => (
            <li key={`${fault.line}:${fault.column}:${fault.message}`}>{describeFault(fault)}</li>
          ))}
        </ul>
      )}
      <InputGrid
        label="Inputs"
        table={table}
        rows={rows}
        known={columns}
        faults={gridFaults}
        ignored={check?.ignored ?? []}
        onChange={onChange}
        onReplace={onReplace}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => {
            onChange({ ...table, rows: [...table.rows, []] });
            setPage(Math.floor(table.rows.length / rowsPerPage));
          }}
        >
          Add row
        </Button>
        {faults.size > 0 && (
          <Checkbox
            label="Only rows with errors"
            checked={onlyFaults}
            onChange={(event) => setOnlyFaults(event.target.checked)}
          />
        )}
        {pages > 1 && (
          <nav aria-label="Pages of rows" className="ml-auto flex items-center gap-2 text-table text-muted">
            <Button
              size="sm"
              icon={<ChevronLeft size={14} aria-hidden />}
              disabled={at === 0}
              onClick={() => setPage(at - 1)}
            >
              Previous
            </Button>
            <span className="tabular">
              {at + 1} of {pages}
            </span>
            <Button size="sm" disabled={at + 1 >= pages} onClick={() => setPage(at + 1)}>
              Next
              <ChevronRight size={14} aria-hidden />
            </Button>
          </nav>
        )}
      </div>
    </div>
  );
}
