"use client";

import { Plus } from "lucide-react";
import type { ApiType } from "#contract/catalog-constants.ts";
import { priceKinds } from "#contract/money/constants.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { Button } from "@/components/ui/button";
import { type GridFault, InputGrid } from "@/components/ui/form/input-grid";
import { Section } from "@/components/ui/page/section";
import type { InputTable } from "@/lib/input-table";
import { kindWords } from "@/lib/kind-words";
import { fixedColumns, type PriceFault, priceColumns } from "@/lib/operator/prices/price-table";
import { PriceExample } from "./price-example.tsx";

interface PriceEditorProps {
  apiType: ApiType;
  table: InputTable;
  components: readonly PriceComponent[];
  faults: readonly PriceFault[];
  currency: string;
  onChange: (table: InputTable) => void;
}

const columns = priceColumns.map((column) =>
  column.name === "what"
    ? { ...column, choices: priceKinds.map((kind) => ({ value: kind, label: kindWords[kind].many })) }
    : column,
);

/** The rates as a table to type in or to paste into, and what an example costs by them. */
export function PriceEditor({ table, components, faults, currency, onChange, apiType }: PriceEditorProps) {
  const byRow = new Map<number, GridFault[]>();
  for (const { row, column, words } of faults) byRow.set(row, [...(byRow.get(row) ?? []), { column, words }]);
  return (
    <div className="grid gap-6 wide:grid-cols-[minmax(0,1fr)_280px]">
      <Section
        title="Rates"
        className="mb-0!"
        description={`In ${currency}. Paste a range of a spreadsheet into any cell; rows without a rate are left out. Of several rows for one thing, the one whose conditions hold is taken.`}
      >
        <InputGrid
          label="Rates"
          dense
          table={table}
          rows={table.rows.map((_, row) => row)}
          known={columns}
          fixed={fixedColumns}
          faults={byRow}
          onChange={onChange}
          onReplace={onChange}
        />
        <Button
          size="sm"
          className="mt-2"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => onChange({ ...table, rows: [...table.rows, []] })}
        >
          Add row
        </Button>
      </Section>
      <PriceExample key={apiType} components={components} currency={currency} />
    </div>
  );
}
