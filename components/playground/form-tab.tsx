"use client";

import dynamic from "next/dynamic";
import { createContext, useContext, useRef } from "react";
import { Skeleton } from "@/components/ui/page/skeleton";
import type { Draft } from "@/lib/schema-form/draft";
import type { JsonObject } from "@/lib/schema-form/json";
import type { FieldKind, FormPlan, PlannedField } from "@/lib/schema-form/plan";
import type { Problem } from "@/lib/schema-form/problem";

const PlannedFields = createContext<readonly PlannedField[]>([]);

/** rjsf is most of the page's code, and what the browser kept of the draft is only known there. */
const SchemaForm = dynamic(() => import("./form/schema-form").then((module) => module.SchemaForm), {
  ssr: false,
  loading: function Outline() {
    return <FormSkeleton fields={useContext(PlannedFields)} />;
  },
});

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

/** The form; while the JSON cannot be read it shows the last state that could, and waits. */
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
      <PlannedFields value={plan.fields}>
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
      </PlannedFields>
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

/** About as high as the field that will stand there, so that little moves when it arrives. */
const heights: Partial<Record<FieldKind, string>> = {
  messages: "h-[252px]",
  prompt: "h-[77px]",
  media: "h-[74px]",
  "media-list": "h-[74px]",
  items: "h-[34px]",
  confirm: "h-[80px]",
};

/** The form's outline while its code is on its way. */
function FormSkeleton({ fields }: { fields: readonly PlannedField[] }) {
  return (
    <div aria-busy className="flex min-w-0 flex-col gap-4">
      {fields
        .filter(({ advanced }) => !advanced)
        .map(({ name, title, kind }) => (
          <div key={name} className="flex flex-col gap-1">
            <span className="text-table font-medium text-muted">{title}</span>
            <Skeleton className={`${heights[kind] ?? "h-8"} w-full`} />
            <span aria-hidden className="h-4" />
          </div>
        ))}
    </div>
  );
}
