"use client";

import { useQueryState, useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { type EntryTab, entrySearchParams } from "@/components/catalog/search-params";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useReturnToRow } from "@/components/ui/list/use-return-to-row";
import { Tabs } from "@/components/ui/tabs";

/** The tabs of one operation. The address contains the chosen tab. */
export function EntryTabs(sides: Record<EntryTab, ReactNode>) {
  const t = useWords("catalog");
  useReturnToRow("/catalog");
  const [{ tab }, set] = useQueryStates(entrySearchParams, { history: "push", scroll: false });
  return (
    <Tabs
      label={t("modelDetails")}
      value={tab}
      onChange={(next) => set({ tab: next })}
      tabs={[
        { value: "overview", label: t("overview"), content: sides.overview },
        { value: "schema", label: t("schema"), content: sides.schema },
        { value: "limits", label: t("limits"), content: sides.limits },
      ]}
    />
  );
}

/** Chooses one operation of a model that has several. */
export function OperationChoice({ operations, chosen }: { operations: string[]; chosen: string }) {
  const t = useWords("catalog");
  const [, setOperation] = useQueryState("operation", { shallow: false, history: "push", scroll: false });
  if (operations.length < 2) return null;
  return (
    <div className="mb-3">
      <RadioGroup
        legend={t("operation")}
        appearance="segments"
        options={operations.map((operation) => ({ value: operation, label: operation }))}
        value={chosen}
        onChange={setOperation}
      />
    </div>
  );
}
