"use client";

import { useContext, useEffect, useRef, useState } from "react";
import { Input } from "@/components/ui/form/input";
import type { ControlAria } from "./field-frame";
import { FormContext } from "./form-context";

interface NumberInputProps {
  aria: ControlAria;
  pointer: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  min: number | null;
  max: number | null;
  integer: boolean;
  step?: number | null;
  placeholder?: string;
  className?: string;
}

/** A typed number. An empty field removes the key. */
export function NumberInput({
  aria,
  pointer,
  value,
  onChange,
  min,
  max,
  integer,
  step = null,
  placeholder,
  className,
}: NumberInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [unreadable, setUnreadable] = useState(false);
  const { onUnreadable } = useContext(FormContext);
  const look = () => setUnreadable(input.current?.validity.badInput ?? false);

  // The slider, an example or the JSON may have replaced the invalid text with a number.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks at what the value did to the control
  useEffect(look, [value]);
  useEffect(
    () => (unreadable ? onUnreadable(pointer, "Enter a number or leave the field empty.") : undefined),
    [unreadable, pointer, onUnreadable],
  );

  return (
    <Input
      {...aria}
      ref={input}
      type="number"
      inputMode={integer ? "numeric" : "decimal"}
      value={value ?? ""}
      {...(min !== null && { min })}
      {...(max !== null && { max })}
      step={step ?? (integer ? 1 : "any")}
      {...(placeholder && { placeholder })}
      {...(className && { className })}
      onChange={(event) => {
        const next = event.target.valueAsNumber;
        onChange(Number.isNaN(next) ? undefined : next);
      }}
      // React sees an invalid number as an empty field, so it reports no change between the two.
      onInput={look}
      // Otherwise the mouse wheel would change a number below the pointer.
      onWheel={(event) => event.currentTarget.blur()}
    />
  );
}
