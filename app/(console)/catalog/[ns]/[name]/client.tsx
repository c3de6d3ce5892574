"use client";

import { useQueryState, useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { type EntryTab, entrySearchParams } from "@/components/catalog/search-params";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useReturnToRow } from "@/components/ui/list/use-return-to-row";
import { Tabs } from "@/components/ui/tabs";

/** The tabs of one operation. The address contains the chosen tab. */
export function EntryTabs(sides: Record<EntryTab, ReactNode>) {
  useReturnToRow("/catalog");
  const [{ tab }, set] = useQueryStates(entrySearchParams, { history: "push", scroll: false });
  return (
    <Tabs
      label="Model details"
      value={tab}
      onChange={(next) => set({ tab: next })}
      tabs={[
        { value: "overview", label: "Overview", content: sides.overview },
        { value: "schema", label: "Schema", content: sides.schema },
        { value: "limits", label: "Limits", content: sides.limits },
      ]}
    />
  );
}

/** Chooses one operation of a model that has several. */
export function OperationChoice({ operations, chosen }: { operations: string[]; chosen: string }) {
  const [, setOperation] = useQueryState("operation", { shallow: false, history: "push", scroll: false });
  if (operations.length < 2) return null;
  return (
    <div className="mb-3">
      <RadioGroup
        legend="Operation"
        appearance="segments"
        options={operations.map((operation) => ({ value: operation, label: operation }))}
        value={chosen}
        onChange={setOperation}
      />
    </div>
  );
}
