import { type ReactNode, useId } from "react";
import { classNames } from "../class-names.ts";

export interface FieldAria {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
  required?: true;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  required?: boolean | undefined;
  /** Shows the label to screen readers only, if the context is clear enough. */
  hideLabel?: boolean;
  className?: string;
  children: (aria: FieldAria) => ReactNode;
}

/** A labelled control with its hint and its error, connected for screen readers. */
export function Field({ label, hint, error, required, hideLabel, className, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(" ");
  return (
    <div className={classNames("flex min-w-0 flex-col gap-1", className)}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-table font-medium text-ink"}>
        {label}
        {required && (
          <span aria-hidden className="text-bad">
            {" *"}
          </span>
        )}
      </label>
      {children({
        id,
        ...(describedBy && { "aria-describedby": describedBy }),
        ...(error && { "aria-invalid": true }),
        ...(required && { required: true }),
      })}
      {hint && (
        <p id={hintId} className="text-meta text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className="text-meta font-medium text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
