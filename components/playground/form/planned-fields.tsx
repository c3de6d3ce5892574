"use client";

import { useMemo } from "react";
import type { JsonObject } from "@/lib/schema-form/json";
import type { PlannedField } from "@/lib/schema-form/plan";
import { pointerOf } from "@/lib/schema-form/pointers";
import type { Problem } from "@/lib/schema-form/problem-messages";
import { PartField } from "./fields.tsx";
import { FormContext, PartContext } from "./form-context.tsx";

interface PlannedFieldsProps {
  /** Distinguishes the ids of these fields from others on the page. */
  place: readonly string[];
  fields: readonly PlannedField[];
  value: JsonObject;
  baseUrl: string;
  onChange: (name: string, value: unknown) => void;
  onUploading: (change: 1 | -1) => void;
  problems?: readonly Problem[];
  disabled?: boolean;
  onUnreadable?: (pointer: string, message: string) => () => void;
}

const noProblems: never[] = [];
const ignore = () => () => {};

/** Some input fields with the controls of the form, but without rjsf's code. */
export function PlannedFields(props: PlannedFieldsProps) {
  const { place, fields, value, baseUrl, onChange, onUploading } = props;
  const { problems = noProblems, disabled = false, onUnreadable = ignore } = props;
  const form = useMemo(
    () => ({ baseUrl, problems, disabled, onUploading, onUnreadable }),
    [baseUrl, problems, disabled, onUploading, onUnreadable],
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
