"use client";

import type { ControlAria } from "./field-frame";
import { NumberInput } from "./number-input";

interface RangeControlProps {
  aria: ControlAria;
  title: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  min: number;
  max: number;
  integer: boolean;
  /** What an empty field stands for. */
  fallback?: number | undefined;
}

/** A slider and the same number typed. */
export function RangeControl(props: RangeControlProps) {
  const { aria, title, value, onChange, min, max, integer, fallback } = props;
  return (
    <div className="flex items-center gap-3">
      <input
        type="range"
        aria-label={`${title}, slider`}
        min={min}
        max={max}
        step={integer ? 1 : (max - min) / 100}
        value={value ?? fallback ?? min}
        disabled={aria.disabled}
        onChange={(event) => onChange(Number(event.target.value))}
        className={`h-6 min-w-0 flex-1 accent-(--accent-fill) ${value === undefined ? "opacity-60" : ""}`}
      />
      <NumberInput
        aria={aria}
        value={value}
        onChange={onChange}
        min={min}
        max={max}
        integer={integer}
        placeholder={fallback === undefined ? "–" : String(fallback)}
        className="w-24! shrink-0 tabular"
      />
    </div>
  );
}
