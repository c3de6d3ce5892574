import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "../looks.ts";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  /** Can be omitted inside a `<Field>`, which has the label. */
  label?: ReactNode;
  hint?: ReactNode;
  /** For the checkbox in a table's head: the label is for screen readers only. */
  hideLabel?: boolean;
}

export function Checkbox({ label, hint, hideLabel, className, ...rest }: CheckboxProps) {
  const hintId = useId();
  return (
    <span className={classNames("inline-flex flex-col gap-0.5 align-middle", className)}>
      <label
        className={classNames(
          "inline-flex min-h-6 gap-2",
          // A target of 24 px (WCAG 2.5.8), 44 px for touch, even if the box has no text.
          hideLabel
            ? "min-w-6 items-center justify-center pointer-coarse:size-11"
            : "items-start pointer-coarse:min-h-11 pointer-coarse:py-2.5",
        )}
      >
        <input
          {...(hint ? { "aria-describedby": hintId } : {})}
          {...rest}
          type="checkbox"
          className={hideLabel ? undefined : "-mt-px"}
        />
        {label && <span className={hideLabel ? "sr-only" : "text-base"}>{label}</span>}
      </label>
      {hint && (
        <span id={hintId} className="pl-[26px] text-meta text-muted">
          {hint}
        </span>
      )}
    </span>
  );
}
