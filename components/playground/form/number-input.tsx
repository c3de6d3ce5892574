"use client";

import { useContext, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { Input } from "@/components/ui/form/input";
import type { ControlAria } from "./field-frame.tsx";
import { FormContext } from "./form-context.tsx";

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
  const t = useWords("inputForm");
  const input = useRef<HTMLInputElement>(null);
  const [unreadable, setUnreadable] = useState(false);
  const { onUnreadable } = useContext(FormContext);
  const look = () => setUnreadable(input.current?.validity.badInput ?? false);

  // The slider, an example or the JSON may have replaced the invalid text with a number.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks at what the value did to the control
  useEffect(look, [value]);
  const problem = unreadable ? t("enterANumber") : null;
  useEffect(() => (problem ? onUnreadable(pointer, problem) : undefined), [problem, pointer, onUnreadable]);

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

interface RangeControlProps {
  aria: ControlAria;
  pointer: string;
  title: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  min: number;
  max: number;
  integer: boolean;
  step?: number | null;
  /** The value that an empty field means. */
  fallback?: number | undefined;
}

/** Draws its own track, because the browser's slider has a white track on dark pages. */
const sliderLook = [
  "h-6 min-w-0 flex-1 cursor-pointer appearance-none bg-transparent disabled:cursor-not-allowed",
  "[&::-webkit-slider-runnable-track]:h-1.5 [&::-webkit-slider-runnable-track]:rounded-full [&::-webkit-slider-runnable-track]:border [&::-webkit-slider-runnable-track]:border-strong [&::-webkit-slider-runnable-track]:bg-sunken",
  "[&::-moz-range-track]:h-1.5 [&::-moz-range-track]:rounded-full [&::-moz-range-track]:border [&::-moz-range-track]:border-strong [&::-moz-range-track]:bg-sunken",
  "[&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-0 [&::-webkit-slider-thumb]:bg-(--accent-fill) [&::-webkit-slider-thumb]:-mt-1.5",
  "[&::-moz-range-thumb]:size-4 [&::-moz-range-thumb]:appearance-none [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-(--accent-fill)",
].join(" ");

/** A slider with a number field. */
export function RangeControl(props: RangeControlProps) {
  const t = useWords("inputForm");
  const { aria, pointer, title, value, onChange, min, max, integer, step = null, fallback } = props;
  return (
    <div className="flex items-center gap-3">
      <input
        type="range"
        aria-label={t("titleSlider", { title })}
        min={min}
        max={max}
        step={step ?? (integer ? 1 : (max - min) / 100)}
        value={value ?? fallback ?? min}
        disabled={aria.disabled}
        onChange={(event) => onChange(Number(event.target.value))}
        className={`${sliderLook} ${value === undefined ? "opacity-60" : ""}`}
      />
      <NumberInput
        aria={aria}
        pointer={pointer}
        value={value}
        onChange={onChange}
        min={min}
        max={max}
        integer={integer}
        step={step}
        placeholder={fallback === undefined ? "–" : String(fallback)}
        className="w-24! shrink-0 tabular"
      />
    </div>
  );
}
