"use client";

import { ChevronRight } from "lucide-react";
import dynamic from "next/dynamic";
import { memo, useCallback, useMemo, useRef } from "react";
import { isSame } from "#contract/input-schema/json-values.ts";
import { useWords } from "#words";
import { TextareaField } from "@/components/ui/form/input-fields";
import { Skeleton } from "@/components/ui/page/skeleton";
import { messagesOf, threadOf } from "@/lib/conversations/thread";
import type { JsonObject } from "@/lib/schema-form/json";
import { textOfMessage } from "@/lib/schema-form/messages";
import type { FormPlan, PlannedField } from "@/lib/schema-form/plan";
import type { Words } from "@/messages/words";
import { usePlayground } from "../use-playground.ts";

/** Loaded late: the controls are as much code as the conversation. */
const PlannedFields = dynamic(
  () => import("../form/planned-fields.tsx").then((module) => module.PlannedFields),
  {
    ssr: false,
    loading: () => <Skeleton className="h-80" />,
  },
);
/** Memoised, so that typing a message does not render the settings again. */
const Settings = memo(PlannedFields);

const topLevel: never[] = [];

/** The settings of a conversation: the system prompt, and the operation's other fields. */
export function ChatSettings() {
  const t = useWords("playground");
  const { plan, draft, check, baseUrl, onUploading, setInputTab } = usePlayground();
  const value = useRef<JsonObject>({});
  if (draft.draft.value) value.current = draft.draft.value;
  const { system } = threadOf(value.current.messages);
  const { messages: _messages, ...rest } = value.current;
  const settings = useUnchanged(rest);
  const fields = useMemo(() => settingsOf(plan, t), [plan, t]);
  const latest = useRef(draft.setValue);
  latest.current = draft.setValue;
  const change = useCallback((name: string, next: unknown) => {
    const { [name]: _before, ...rest } = value.current;
    latest.current(next === undefined ? rest : { ...value.current, [name]: next });
  }, []);
  const uploading = useRef(onUploading);
  uploading.current = onUploading;
  const reportUploading = useCallback((change: 1 | -1) => uploading.current(change), []);
  const disabled = draft.draft.value === null;
  const shared = {
    baseUrl,
    place: topLevel,
    value: settings,
    problems: check.atFields,
    disabled,
    onChange: change,
    onUploading: reportUploading,
    onUnreadable: check.onUnreadable,
  };
  return (
    <div className="flex min-w-0 flex-col gap-4 pt-2">
      <h2 className="text-title font-semibold">{t("settings")}</h2>
      <TextareaField
        label={t("systemPrompt")}
        hint={t("instructionsOnHowTheModel")}
        rows={4}
        disabled={disabled}
        value={system ? textOfMessage(system) : ""}
        onChange={({ target }) => {
          const thread = threadOf(value.current.messages);
          const content = target.value;
          const next = content === "" ? null : { ...thread.system, role: "system", content };
          draft.setValue({ ...value.current, messages: messagesOf({ ...thread, system: next }) });
        }}
        look="resize-y"
      />
      <Settings {...shared} fields={fields.shown} />
      {fields.folded.length > 0 && (
        <details className="group min-w-0 border-t pt-3">
          <summary className="flex min-h-6 cursor-pointer list-none items-center gap-1 text-table font-medium text-muted hover:text-ink pointer-coarse:min-h-11">
            <ChevronRight size={14} aria-hidden className="transition-transform group-open:rotate-90" />
            {t("moreOptions")}
          </summary>
          <div className="mt-3">
            <Settings {...shared} fields={fields.folded} />
          </div>
        </details>
      )}
      <p className="text-meta text-muted">
        {t("theFormJsonAndCode")}{" "}
        <button type="button" className="underline" onClick={() => setInputTab("code")}>
          {t("showAsCode")}
        </button>
      </p>
    </div>
  );
}

/** Every chat accepts tools, even if its schema does not list them. */
const tools = (t: Words<"playground">): PlannedField => ({
  kind: "json",
  shape: "array",
  name: "tools",
  title: t("tools"),
  hint: t("functionsThatTheModel"),
  required: false,
  schema: {},
  inferred: true,
  advanced: false,
});

/** The settings that are always visible, and the rarely needed ones, which are collapsed. */
function settingsOf(plan: FormPlan, t: Words<"playground">): Record<"shown" | "folded", PlannedField[]> {
  const fields = plan.fields.filter(({ kind }) => kind !== "messages");
  const all = fields.some(({ name }) => name === "tools") ? fields : [...fields, tools(t)];
  const isFolded = ({ advanced, name }: PlannedField) => advanced || name === "tools";
  return { shown: all.filter((field) => !isFolded(field)), folded: all.filter(isFolded) };
}

/** Returns the same object until its content changes. */
function useUnchanged(value: JsonObject): JsonObject {
  const kept = useRef(value);
  if (!isSame(kept.current, value)) kept.current = value;
  return kept.current;
}
