"use client";

import { Input } from "@/components/ui/input";
import type { ControlAria } from "./field-frame";

interface NumberInputProps {
  aria: ControlAria;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  min: number | null;
  max: number | null;
  integer: boolean;
  placeholder?: string;
  className?: string;
}

/** A typed number; empty means that the key is left out. */
export function NumberInput({
  aria,
  value,
  onChange,
  min,
  max,
  integer,
  placeholder,
  className,
}: NumberInputProps) {
  return (
    <Input
      {...aria}
      type="number"
      inputMode={integer ? "numeric" : "decimal"}
      value={value ?? ""}
      {...(min !== null && { min })}
      {...(max !== null && { max })}
      step={integer ? 1 : "any"}
      {...(placeholder && { placeholder })}
      {...(className && { className })}
      onChange={(event) => {
        const next = event.target.valueAsNumber;
        onChange(Number.isNaN(next) ? undefined : next);
      }}
      // The wheel would change a number that the pointer merely rests on.
      onWheel={(event) => event.currentTarget.blur()}
    />
  );
}
