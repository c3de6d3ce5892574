import { type ReactNode, useId } from "react";
import { classNames } from "../looks.ts";

interface RadioOption<Value extends string> {
  value: Value;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
}

interface RadioGroupProps<Value extends string> {
  legend: ReactNode;
  options: readonly RadioOption<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
  hideLegend?: boolean;
  /** `segments` for two to four short words in a row, `list` for options with hints. */
  appearance?: "segments" | "list";
  required?: boolean | undefined;
  error?: ReactNode;
}

export function RadioGroup<Value extends string>({
  legend,
  options,
  value,
  onChange,
  hideLegend,
  appearance = "list",
  required,
  error,
}: RadioGroupProps<Value>) {
  const name = useId();
  const segments = appearance === "segments";
  return (
    <fieldset className="min-w-0" {...(error ? { "aria-describedby": `${name}-error` } : {})}>
      <legend className={hideLegend ? "sr-only" : "mb-1 text-table font-medium"}>
        {legend}
        {required && !hideLegend && (
          <span aria-hidden className="text-bad">
            {" *"}
          </span>
        )}
      </legend>
      <div
        className={
          segments
            ? "inline-flex flex-wrap gap-0.5 rounded-control border border-strong bg-sunken p-0.5"
            : "flex flex-col gap-1.5"
        }
      >
        {options.map((option) => (
          <label
            key={option.value}
            className={classNames(
              "inline-flex min-h-6 cursor-pointer items-start gap-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11 pointer-coarse:py-2.5",
              segments &&
                "items-center justify-center rounded-[6px] px-2.5 py-0.5 text-table font-medium text-muted has-checked:bg-raised has-checked:text-ink has-checked:shadow-[inset_0_0_0_1px_var(--strong)] has-focus-visible:outline-2 has-focus-visible:outline-accent",
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              disabled={option.disabled}
              required={required}
              onChange={() => onChange(option.value)}
              className={segments ? "sr-only" : "mt-1 size-4 shrink-0 accent-(--accent-fill)"}
            />
            <span className="min-w-0">
              {option.label}
              {option.hint && <span className="block text-meta text-muted">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${name}-error`} className="mt-1 text-meta font-medium text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
