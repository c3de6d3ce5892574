import { type ReactNode, useId } from "react";
import { classNames } from "../looks.ts";

export interface FieldAria {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
  required?: true;
  maxLength?: number;
}

/**
 * The rule for a text, as keywords of JSON Schema. It comes from the contract's constants, so that no page
 * loads a whole schema.
 */
export interface TextRule {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** Whether the rule requires a text, because the contract refuses an empty one. */
export function refusesEmpty({ minLength = 0, pattern }: TextRule): boolean {
  return minLength > 0 || (pattern !== undefined && !new RegExp(pattern).test(""));
}

/**
 * Always true, for a field without a rule of its own, such as a choice. It compiles only while requests of the
 * type `Body` must have the field: `requiredIn<PriceCreate>("api_type")`.
 */
export function requiredIn<Body>(_name: RequiredName<Body>): true {
  return true;
}

type RequiredName<Body> = {
  [Name in keyof Body]-?: object extends Pick<Body, Name> ? never : Name;
}[keyof Body];

/** Validates that a required text is there. `missing` says what to do if it is not. */
export function filledIn(rule: TextRule | true, missing: string) {
  const required = rule === true || refusesEmpty(rule);
  return (text: string): string | true => !required || text.trim() !== "" || missing;
}

/** The rule's pattern for the attribute `pattern`, which compares the whole text. */
export function wholePattern({ pattern }: { pattern: string }): string {
  return `.*(?:${pattern}).*`;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /**
   * The contract's rule for the text: its maximum length, and whether it is required. `required` overrides
   * the latter.
   */
  rule?: TextRule | undefined;
  required?: boolean | undefined;
  /** Shows the label to screen readers only, if the context is clear enough. */
  hideLabel?: boolean | undefined;
  className?: string | undefined;
  children: (aria: FieldAria) => ReactNode;
}

/** A labelled control with its hint and its error, connected for screen readers. */
export function Field({ label, hint, error, rule, hideLabel, className, children, ...props }: FieldProps) {
  const id = useId();
  const required = props.required ?? (rule !== undefined && refusesEmpty(rule));
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
        ...(rule?.maxLength !== undefined && { maxLength: rule.maxLength }),
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
