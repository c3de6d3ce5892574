"use client";

import dynamic from "next/dynamic";
import { memo, useCallback, useMemo, useRef } from "react";
import { isSame } from "#contract/input-schema/json-values.ts";
import { Field } from "@/components/ui/form/field";
import { Textarea } from "@/components/ui/form/input";
import { messagesOf, threadOf } from "@/lib/conversations/thread";
import type { JsonObject } from "@/lib/schema-form/json";
import { textOfMessage } from "@/lib/schema-form/messages";
import type { FormPlan, PlannedField } from "@/lib/schema-form/plan";
import { usePlayground } from "../use-playground";

const SchemaForm = dynamic(() => import("../form/schema-form").then((module) => module.SchemaForm), {
  ssr: false,
});
/** Memoised, so that typing a message does not render the settings. */
const Settings = memo(SchemaForm);

/** The settings of a conversation: the system prompt, and the operation's other fields. */
export function ChatSettings() {
  const { plan, draft, check, baseUrl, onUploading, setInputTab } = usePlayground();
  const value = useRef<JsonObject>({});
  if (draft.draft.value) value.current = draft.draft.value;
  const { system } = threadOf(value.current.messages);
  const { messages: _messages, ...rest } = value.current;
  const settings = useUnchanged(rest);
  const settingsPlan = useMemo(() => planOfSettings(plan), [plan]);
  const latest = useRef(draft.setValue);
  latest.current = draft.setValue;
  const change = useCallback((next: JsonObject) => {
    const { messages } = value.current;
    latest.current({ ...(messages !== undefined && { messages }), ...next });
  }, []);
  const uploading = useRef(onUploading);
  uploading.current = onUploading;
  const reportUploading = useCallback((change: 1 | -1) => uploading.current(change), []);
  const disabled = draft.draft.value === null;
  return (
    <div className="flex min-w-0 flex-col gap-4 pt-2">
      <h2 className="text-title font-semibold">Settings</h2>
      <Field label="System prompt" hint="How the model should behave.">
        {(aria) => (
          <Textarea
            {...aria}
            rows={4}
            disabled={disabled}
            value={system ? textOfMessage(system) : ""}
            onChange={({ target }) => {
              const thread = threadOf(value.current.messages);
              const content = target.value;
              const next = content === "" ? null : { ...thread.system, role: "system", content };
              draft.setValue({ ...value.current, messages: messagesOf({ ...thread, system: next }) });
            }}
            className="resize-y"
          />
        )}
      </Field>
      <Settings
        baseUrl={baseUrl}
        plan={settingsPlan}
        value={settings}
        problems={check.atFields}
        disabled={disabled}
        onChange={change}
        onUploading={reportUploading}
        onUnreadable={check.onUnreadable}
      />
      <p className="text-meta text-muted">
        The Form, JSON and Code tabs show the same draft.{" "}
        <button type="button" className="underline" onClick={() => setInputTab("code")}>
          Show as code
        </button>
      </p>
    </div>
  );
}

/** Every chat accepts tools, whether or not its schema lists them. */
const tools: PlannedField = {
  kind: "json",
  shape: "array",
  name: "tools",
  title: "Tools",
  hint: "Functions that the model may call, as JSON.",
  required: false,
  schema: {},
  inferred: true,
  advanced: false,
};

function planOfSettings(plan: FormPlan): FormPlan {
  const fields = plan.fields.filter(({ kind }) => kind !== "messages");
  return { ...plan, fields: fields.some(({ name }) => name === "tools") ? fields : [...fields, tools] };
}

/** Returns the same object until its content changes. */
function useUnchanged(value: JsonObject): JsonObject {
  const kept = useRef(value);
  if (!isSame(kept.current, value)) kept.current = value;
  return kept.current;
}
