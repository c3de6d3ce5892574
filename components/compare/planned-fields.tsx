"use client";

import { useMemo } from "react";
import { FormContext, PartContext } from "@/components/playground/form/form-context";
import { PartField } from "@/components/playground/form/part-field";
import type { JsonObject } from "@/lib/schema-form/json";
import type { PlannedField } from "@/lib/schema-form/plan";
import { pointerOf } from "@/lib/schema-form/pointer";

interface PlannedFieldsProps {
  /** Separates the ids of these fields from others on the page. */
  place: readonly string[];
  fields: readonly PlannedField[];
  value: JsonObject;
  baseUrl: string;
  onChange: (name: string, value: unknown) => void;
  onUploading: (change: 1 | -1) => void;
}

const ignore = () => () => {};

/** Some input fields, with the controls of the playground's form. */
export function PlannedFields({ place, fields, value, baseUrl, onChange, onUploading }: PlannedFieldsProps) {
  const form = useMemo(
    () => ({ baseUrl, problems: [], disabled: false, onUploading, onUnreadable: ignore }),
    [baseUrl, onUploading],
  );
  return (
    <FormContext value={form}>
      <PartContext value={PartField}>
        <div className="flex min-w-0 flex-col gap-4">
          {fields.map((field) => (
            <PartField
              key={field.name}
              field={field}
              value={value[field.name]}
              pointer={pointerOf([...place, field.name])}
              onChange={(next) => onChange(field.name, next)}
            />
          ))}
        </div>
      </PartContext>
    </FormContext>
  );
}
