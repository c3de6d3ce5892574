"use client";

import { Combobox } from "@/components/ui/combobox";
import type { FieldAria } from "@/components/ui/field";
import { useUpstreamModels } from "./use-upstream-models.ts";

interface UpstreamFieldProps {
  aria: FieldAria;
  providerId: string | null;
  value: string;
  onChange: (value: string) => void;
}

/** A name of a model as the provider calls it: what it lists is offered as one types. */
export function UpstreamField({ aria, providerId, value, onChange }: UpstreamFieldProps) {
  const { list, failure, busy } = useUpstreamModels(providerId, value);
  const options = (list?.data ?? []).map(({ id, description }) => ({
    value: id,
    ...(description && { hint: description.slice(0, 120) }),
  }));
  const note = failure
    ? `The provider's list cannot be read: ${failure.message}`
    : busy && !list
      ? "Loading the list…"
      : list?.has_more
        ? "There are more. Type to narrow the list."
        : null;
  return (
    <Combobox
      aria={aria}
      value={value}
      onChange={onChange}
      options={options}
      note={note}
      className="font-mono"
      placeholder={providerId ? "Type to search the provider's models" : "Choose a provider first"}
    />
  );
}
