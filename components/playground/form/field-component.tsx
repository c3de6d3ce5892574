"use client";

import { type Field, type FieldProps, getUiOptions } from "@rjsf/utils";
import type { ReactNode } from "react";
import type { FieldKind, PlannedField } from "@/lib/schema-form/plan";
import { fieldId, pointerOf } from "@/lib/schema-form/pointer";
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
}

/** Makes an rjsf field of a control that knows nothing of rjsf. */
export function fieldComponent<Kind extends FieldKind, Value>(
  Control: (view: FieldView<Kind, Value>) => ReactNode,
): Field {
  return function PlannedFieldControl({ uiSchema, registry, formData, fieldPathId, onChange }: FieldProps) {
    const { plan } = getUiOptions(uiSchema, registry.globalUiOptions) as { plan?: PlannedField };
    const pointer = pointerOf(fieldPathId.path);
    const problem = useProblem(pointer);
    const disabled = useFormDisabled();
    if (!plan) return null;
    return (
      <Control
        field={plan as FieldOf<Kind>}
        value={formData as Value | undefined}
        onChange={(value) => onChange(value, fieldPathId.path)}
        id={fieldId(pointer)}
        pointer={pointer}
        problem={problem}
        disabled={disabled}
      />
    );
  };
}
