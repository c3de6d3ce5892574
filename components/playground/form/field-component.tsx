"use client";

import { type Field, type FieldProps, getUiOptions } from "@rjsf/utils";
import { type ComponentType, memo, type ReactNode, useCallback, useLayoutEffect, useRef } from "react";
import type { FieldKind, PlannedField } from "@/lib/schema-form/plan";
import { fieldId, pointerOf } from "@/lib/schema-form/pointer";
import { shownValue } from "@/lib/schema-form/rjsf-form";
import { useFormDisabled, useProblem } from "./form-context";

export type FieldOf<Kind extends FieldKind> = Extract<PlannedField, { kind: Kind }>;

export interface FieldView<Kind extends FieldKind, Value> {
  field: FieldOf<Kind>;
  value: Value | undefined;
  /** Undefined takes the key out of the draft. */
  onChange: (value: Value | undefined) => void;
  id: string;
  pointer: string;
  problem: string | null;
  disabled: boolean;
  /** Draws an object's keys without a frame: what is around it has named it already. */
  bare?: boolean;
}

/** The control of one kind of field, for any place of a body. */
export type FieldControl = ComponentType<FieldView<FieldKind, unknown>>;

/** A control that is written for its own kind and value; the plan sees to it that it gets no other. */
export function fieldComponent<Kind extends FieldKind, Value>(
  Control: (view: FieldView<Kind, Value>) => ReactNode,
): FieldControl {
  return Control as unknown as FieldControl;
}

/** A control as rjsf's field, for the body's own keys. What is typed into one of them redraws no other. */
export function rjsfField(Control: FieldControl): Field {
  const Drawn = memo(Control);
  return function PlannedFieldControl({ uiSchema, registry, formData, fieldPathId, onChange }: FieldProps) {
    const { plan } = getUiOptions(uiSchema, registry.globalUiOptions) as { plan?: PlannedField };
    const pointer = pointerOf(fieldPathId.path);
    const problem = useProblem(pointer);
    const disabled = useFormDisabled();
    // rjsf hands down a new function each time; the one for the control stays and calls the latest.
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
