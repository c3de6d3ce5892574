"use client";

import { useRef } from "react";
import { useWords } from "#words";
import type { JsonObject } from "@/lib/schema-form/json";
import type { FormPlan } from "@/lib/schema-form/plan";
import { listText } from "@/lib/words/list-text";
import { SchemaForm } from "./form/schema-form.tsx";
import { usePlayground } from "./use-playground.ts";

/**
 * The form. While the JSON is invalid it shows the last valid state, disabled. The server renders it with the page,
 * so that the fields are there before any script.
 */
export function FormTab() {
  const t = useWords("playground");
  const { baseUrl, operation, plan, check, onFormUploading, setInputTab, ...rest } = usePlayground();
  const { draft } = rest.draft;
  const onJson = () => setInputTab("json");
  const lastValue = useRef<JsonObject>({});
  if (draft.value) lastValue.current = draft.value;
  const unshown = unshownKeys(lastValue.current, plan);
  return (
    <>
      {draft.value === null && (
        <p role="alert" className="mb-3 rounded-panel border border-warn bg-warn-soft p-3 text-table">
          {t("theFormIsNotAvailable")}{" "}
          <button type="button" className="font-medium underline" onClick={onJson}>
            {t("fixTheJson")}
          </button>
        </p>
      )}
      <SchemaForm
        baseUrl={baseUrl}
        example={operation.example}
        plan={plan}
        value={lastValue.current}
        problems={check.atFields}
        disabled={draft.value === null}
        onChange={rest.draft.setValue}
        onUploading={onFormUploading}
        onUnreadable={check.onUnreadable}
      />
      {unshown.length > 0 && (
        <p className="mt-4 text-meta text-muted">
          {t.rich(
            "alsoSent",
            {
              keys: listText(
                t.language,
                unshown.map((key) => `“${key}”`),
                "plain",
              ),
              count: unshown.length,
            },
            {
              edit: (content) => (
                <button key="edit" type="button" className="underline" onClick={onJson}>
                  {content}
                </button>
              ),
            },
          )}
        </p>
      )}
    </>
  );
}

function unshownKeys(value: JsonObject, plan: FormPlan): string[] {
  const shown = new Set([...plan.fields.map((field) => field.name), ...Object.keys(plan.fixed)]);
  return Object.keys(value).filter((key) => !shown.has(key));
}
