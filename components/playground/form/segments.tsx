"use client";

import { useId } from "react";

interface SegmentsProps<Value> {
  /** An option whose `value` is undefined lets the gateway choose. */
  options: readonly { value: Value | undefined; label: string }[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
  invalid?: boolean;
  /** The name of the row, if the surrounding fieldset contains more than this row. */
  label?: string;
}

/** A few short choices in a row. The surrounding fieldset has the name. */
export function Segments<Value extends string | number | boolean>(props: SegmentsProps<Value>) {
  const { options, value, onChange, invalid, label } = props;
  const name = useId();
  return (
    // In a narrow card, two fit in a row, so that no single one wraps.
    <div className="@container w-full">
      <div
        {...(label && { role: "radiogroup", "aria-label": label })}
        className={`inline-flex max-w-full flex-wrap gap-0.5 rounded-control border bg-sunken p-0.5 @max-[15rem]:grid @max-[15rem]:grid-cols-2 ${invalid ? "border-bad" : "border-strong"}`}
      >
        {options.map((option) => (
          <label
            key={option.label}
            className="inline-flex min-h-6.5 cursor-pointer items-center justify-center rounded-[6px] px-2.5 text-table font-medium text-muted has-checked:bg-panel has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-11 pointer-coarse:min-w-11"
          >
            <input
              type="radio"
              name={name}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </div>
  );
}
