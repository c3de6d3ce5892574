"use client";

import {
  type FieldTemplateProps,
  getUiOptions,
  type ObjectFieldTemplateProps,
  type UiSchema,
} from "@rjsf/utils";
import type { PlannedField } from "@/lib/schema-form/plan";
import { AdvancedFields } from "./advanced-fields";

const planOf = (uiSchema: UiSchema | undefined) => getUiOptions(uiSchema).plan as PlannedField | undefined;

/** Each field draws its own frame; rjsf's adds nothing. */
export function BareFieldTemplate({ children, hidden }: FieldTemplateProps) {
  return hidden ? <div hidden>{children}</div> : children;
}

/** The fields one below the other, rarely needed ones folded away. */
export function FieldsTemplate({ properties, uiSchema, formData }: ObjectFieldTemplateProps) {
  const isAdvanced = (name: string) => planOf(uiSchema?.[name])?.advanced === true;
  const advanced = properties.filter(({ name }) => isAdvanced(name));
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {properties.filter(({ name }) => !isAdvanced(name)).map(({ content }) => content)}
      {advanced.length > 0 && (
        <AdvancedFields inUse={advanced.some(({ name }) => formData?.[name] !== undefined)}>
          {advanced.map(({ content }) => content)}
        </AdvancedFields>
      )}
    </div>
  );
}
