"use client";

import {
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  type FieldTemplateProps,
  getUiOptions,
  type ObjectFieldTemplateProps,
  type UiSchema,
} from "@rjsf/utils";
import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import type { PlannedField } from "@/lib/schema-form/plan";
import { fieldId, pointerOf } from "@/lib/schema-form/pointer";
import { AdvancedFields } from "./advanced-fields";
import { FieldFrame } from "./field-frame";
import { useFormDisabled, useProblem } from "./form-context";

type ItemsField = Extract<PlannedField, { kind: "items" }>;

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

export function ItemsTemplate({
  items,
  onAddClick,
  uiSchema,
  fieldPathId,
  formData,
}: ArrayFieldTemplateProps) {
  const pointer = pointerOf(fieldPathId.path);
  const problem = useProblem(pointer);
  const disabled = useFormDisabled();
  const field = planOf(uiSchema) as ItemsField | undefined;
  if (!field) return null;
  const count = Array.isArray(formData) ? formData.length : 0;
  return (
    <FieldFrame field={field} id={fieldId(pointer)} problem={problem} disabled={disabled} group>
      {() => (
        <>
          {items}
          {(field.max === null || count < field.max) && (
            <Button
              size="sm"
              className="self-start"
              icon={<Plus size={14} aria-hidden />}
              onClick={onAddClick}
            >
              {`Add ${field.itemTitle === field.itemTitle.toUpperCase() || field.itemTitle === "LoRA" ? field.itemTitle : field.itemTitle.toLowerCase()}`}
            </Button>
          )}
        </>
      )}
    </FieldFrame>
  );
}

export function ItemTemplate({
  children,
  index,
  totalItems,
  buttonsProps,
  parentUiSchema,
}: ArrayFieldItemTemplateProps) {
  const field = planOf(parentUiSchema) as ItemsField | undefined;
  const name = `${field?.itemTitle ?? "Item"} ${index + 1}`;
  return (
    <fieldset className="min-w-0 rounded-control border p-3">
      <legend className="sr-only">{name}</legend>
      <div className="mb-2 flex items-center gap-1">
        <span aria-hidden className="flex-1 text-table font-medium">
          {name}
        </span>
        {index > 0 && (
          <IconButton
            size="sm"
            label={`Move ${name} up`}
            icon={<ArrowUp size={14} aria-hidden />}
            onClick={buttonsProps.onMoveUpItem}
          />
        )}
        {index < totalItems - 1 && (
          <IconButton
            size="sm"
            label={`Move ${name} down`}
            icon={<ArrowDown size={14} aria-hidden />}
            onClick={buttonsProps.onMoveDownItem}
          />
        )}
        <IconButton
          size="sm"
          label={`Remove ${name}`}
          icon={<X size={14} aria-hidden />}
          onClick={buttonsProps.onRemoveItem}
        />
      </div>
      {children}
    </fieldset>
  );
}
