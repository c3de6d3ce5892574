"use client";

import { useQueryStates } from "nuqs";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { operatorUsageSearch, operatorUsageSpans } from "../search-params.ts";

export function SpanChoice() {
  const [{ days }, set] = useQueryStates(operatorUsageSearch, { history: "push", shallow: false });
  return (
    <RadioGroup
      legend="Time"
      hideLegend
      appearance="segments"
      options={operatorUsageSpans.map((value) => ({ value, label: `${value} days` }))}
      value={days}
      onChange={(next) => void set({ days: next })}
    />
  );
}
