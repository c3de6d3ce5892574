"use client";

import type { ControlAria } from "./field-frame";
import { NumberInput } from "./number-input";

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
  const { aria, pointer, title, value, onChange, min, max, integer, step = null, fallback } = props;
  return (
    <div className="flex items-center gap-3">
      <input
        type="range"
        aria-label={`${title}, slider`}
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
