"use client";

import { type Field, type FieldProps, getUiOptions } from "@rjsf/utils";
import { type ComponentType, memo, type ReactNode, useCallback, useLayoutEffect, useRef } from "react";
import { fieldId, pointerOf } from "@/lib/schema-form/json";
import type { FieldKind, PlannedField } from "@/lib/schema-form/plan";
import { shownValue } from "@/lib/schema-form/rjsf-form";
import { useFormDisabled, useProblem } from "./form-context";

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
