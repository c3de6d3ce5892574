"use client";

import { type Field, type FieldProps, getUiOptions } from "@rjsf/utils";
import { type ComponentType, memo, type ReactNode, useCallback, useLayoutEffect, useRef } from "react";
import { useWords } from "#words";
import type { FieldKind, PlannedField } from "@/lib/schema-form/plan";
import { fieldId, pointerOf } from "@/lib/schema-form/pointers";
import { shownValue } from "@/lib/schema-form/rjsf-form";
import { useFormDisabled, useProblem } from "./form-context.tsx";

export interface ControlAria {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
  "aria-required"?: true;
  disabled?: boolean;
}

interface FieldFrameProps {
  field: { title: string; hint: string | null; required: boolean };
  id: string;
  problem: string | null;
  disabled?: boolean;
  /** Several controls under one name, rendered as a fieldset with a legend. */
  group?: boolean;
  /** True when the surrounding element already has the name. */
  bare?: boolean | undefined;
  /** Content at the right end of the label's line, e.g. a counter. */
  aside?: ReactNode;
  children: (aria: ControlAria) => ReactNode;
}

/** Label or legend, control, hint and problem of one field, connected for screen readers. */
export function FieldFrame({ field, id, problem, disabled, group, bare, aside, children }: FieldFrameProps) {
  const t = useWords("inputForm");
  const hintId = `${id}-hint`;
  const problemId = `${id}-problem`;
  const describedBy = [problem && problemId, field.hint && hintId].filter(Boolean).join(" ");
  const described = describedBy ? { "aria-describedby": describedBy } : {};
  const name = (
    <>
      {field.title}
      {field.required && (
        <>
          <span aria-hidden className="text-bad">
            {" *"}
          </span>
          {group && <span className="sr-only"> {t("required")}</span>}
        </>
      )}
    </>
  );
  const after = (
    <>
      {field.hint && (
        <p id={hintId} className="text-meta text-muted">
          {field.hint}
        </p>
      )}
      {problem && (
        <p id={problemId} className="text-meta font-medium text-bad">
          {problem}
        </p>
      )}
    </>
  );
  if (bare)
    return (
      <div id={id} tabIndex={-1} className="flex min-w-0 flex-col gap-1" {...described}>
        {children({ id, ...(disabled && { disabled }) })}
        {after}
      </div>
    );
  if (group)
    return (
      <fieldset id={id} tabIndex={-1} className="min-w-0" disabled={disabled} {...described}>
        <legend className="mb-1 text-table font-medium text-ink">{name}</legend>
        {aside && <span className="float-right -mt-5.5 h-0 text-meta text-muted">{aside}</span>}
        <div className="flex min-w-0 flex-col gap-1">
          {children({ id })}
          {after}
        </div>
      </fieldset>
    );
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <label htmlFor={id} className="min-w-fit flex-1 text-table font-medium text-ink">
          {name}
        </label>
        {aside}
      </div>
      {children({
        id,
        ...described,
        ...(problem && { "aria-invalid": true }),
        ...(field.required && { "aria-required": true }),
        ...(disabled && { disabled }),
      })}
      {after}
    </div>
  );
}

export type FieldOf<Kind extends FieldKind> = Extract<PlannedField, { kind: Kind }>;

export interface FieldView<Kind extends FieldKind, Value> {
  field: FieldOf<Kind>;
  value: Value | undefined;
  /** Undefined removes the key from the draft. */
  onChange: (value: Value | undefined) => void;
  id: string;
  pointer: string;
  problem: string | null;
  disabled: boolean;
  /** Shows an object's keys without a frame, because the surrounding element already has the name. */
  bare?: boolean;
}

/** The control of one kind of field, at any position in a body. */
export type FieldControl = ComponentType<FieldView<FieldKind, unknown>>;

/** A control for one kind and its value type. The plan guarantees that it gets no other kind. */
export function fieldComponent<Kind extends FieldKind, Value>(
  Control: (view: FieldView<Kind, Value>) => ReactNode,
): FieldControl {
  return Control as unknown as FieldControl;
}

/**
 * Wraps a control as rjsf's field, for the body's top-level keys. Typing in one field does not render the
 * others.
 */
export function rjsfField(Control: FieldControl): Field {
  const Drawn = memo(Control);
  return function PlannedFieldControl({ uiSchema, registry, formData, fieldPathId, onChange }: FieldProps) {
    const { plan } = getUiOptions(uiSchema, registry.globalUiOptions) as { plan?: PlannedField };
    const pointer = pointerOf(fieldPathId.path);
    const problem = useProblem(pointer);
    const disabled = useFormDisabled();
    // rjsf passes a new `onChange` at each render. The control gets a stable function that calls the latest
    // one.
    const latest = useRef((_value: unknown) => {});
    useLayoutEffect(() => {
      latest.current = (value) => onChange(value, fieldPathId.path);
    });
    const change = useCallback((value: unknown) => latest.current(value), []);
    if (!plan) return null;
    return (
      <Drawn
        field={plan}
        value={shownValue(plan, formData)}
        onChange={change}
        id={fieldId(pointer)}
        pointer={pointer}
        problem={problem}
        disabled={disabled}
      />
    );
  };
}
