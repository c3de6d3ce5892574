"use client";

import { useRef } from "react";
import type { Draft } from "@/lib/schema-form/draft";
import type { JsonObject } from "@/lib/schema-form/json";
import type { FormPlan } from "@/lib/schema-form/plan";
import type { Problem } from "@/lib/schema-form/problem";
// Part of the page: the server renders it, so that the fields are there before any script.
import { SchemaForm } from "./form/schema-form";

interface FormTabProps {
  baseUrl: string;
  plan: FormPlan;
  draft: Draft;
  problems: readonly Problem[];
  onValue: (value: JsonObject) => void;
  onUploading: (change: 1 | -1) => void;
  onUnreadable: (pointer: string, message: string) => () => void;
  onJson: () => void;
}

/** The form. While the JSON is invalid it shows the last valid state, disabled. */
export function FormTab({ plan, draft, problems, onJson, ...rest }: FormTabProps) {
  const lastValue = useRef<JsonObject>({});
  if (draft.value) lastValue.current = draft.value;
  const unshown = unshownKeys(lastValue.current, plan);
  return (
    <>
      {draft.value === null && (
        <p role="alert" className="mb-3 rounded-panel border border-warn bg-warn-soft p-3 text-table">
          The form is not available while the JSON has an error.{" "}
          <button type="button" className="font-medium underline" onClick={onJson}>
            Fix the JSON
          </button>
        </p>
      )}
      <SchemaForm
        baseUrl={rest.baseUrl}
        plan={plan}
        value={lastValue.current}
        problems={problems}
        disabled={draft.value === null}
        onChange={rest.onValue}
        onUploading={rest.onUploading}
        onUnreadable={rest.onUnreadable}
      />
      {unshown.length > 0 && (
        <p className="mt-4 text-meta text-muted">
          Also sent: {unshown.map((key) => `“${key}”`).join(", ")}. The form has no field for{" "}
          {unshown.length === 1 ? "it" : "them"};{" "}
          <button type="button" className="underline" onClick={onJson}>
            edit as JSON
          </button>
          .
        </p>
      )}
    </>
  );
}

function unshownKeys(value: JsonObject, plan: FormPlan): string[] {
  const shown = new Set([...plan.fields.map((field) => field.name), ...Object.keys(plan.fixed)]);
  return Object.keys(value).filter((key) => !shown.has(key));
}
