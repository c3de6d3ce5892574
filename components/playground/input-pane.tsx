"use client";

import { RotateCcw, Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, type Ref, useRef } from "react";
import type { CatalogOperation } from "#contract/catalog.ts";
import { Button } from "@/components/ui/button";
import { Tabs } from "@/components/ui/tabs";
import type { JsonObject } from "@/lib/schema-form/json";
import type { FormPlan } from "@/lib/schema-form/plan";
import type { Problem } from "@/lib/schema-form/problem";
import { ErrorSummary } from "./error-summary";
import { FormTab } from "./form-tab";
import type { useDraft } from "./use-draft";

const JsonTab = dynamic(() => import("./json-tab").then((module) => module.JsonTab), { ssr: false });
const CodeTab = dynamic(() => import("./code-tab").then((module) => module.CodeTab), { ssr: false });

export type InputTab = "form" | "json" | "code";

interface InputPaneProps {
  tab: InputTab;
  onTab: (tab: InputTab) => void;
  plan: FormPlan;
  operation: CatalogOperation;
  draft: ReturnType<typeof useDraft>;
  body: JsonObject | null;
  baseUrl: string;
  problems: readonly Problem[];
  /** Those and what the fields themselves cannot read. */
  atFields: readonly Problem[];
  summaryRef: Ref<HTMLDivElement>;
  /** What happened to the draft from outside. */
  notice: string | null;
  presets: ReactNode;
  onExample: () => void;
  onUploading: (change: 1 | -1) => void;
  onUnreadable: (pointer: string, message: string) => () => void;
}

/** Form, JSON and code: three views of one draft. */
export function InputPane(props: InputPaneProps) {
  const { tab, onTab, plan, operation, draft, body, baseUrl, problems, summaryRef, notice } = props;
  const example = useRef<HTMLButtonElement>(null);
  const { restore } = draft;
  // The form stays mounted so that uploads continue; its hidden fields are not focusable.
  const summary = <ErrorSummary ref={summaryRef} problems={problems} onGoTo={() => onTab("form")} />;
  return (
    <div className="pb-4">
      <Tabs
        keepMounted
        label="Views of the input"
        value={tab}
        onChange={onTab}
        actions={
          <>
            {restore && (
              <Button
                size="sm"
                variant="ghost"
                icon={<Undo2 size={14} aria-hidden />}
                onClick={() => {
                  restore();
                  // The button goes away with what it undid.
                  example.current?.focus();
                }}
              >
                <span className="max-phone:sr-only">Undo</span>
              </Button>
            )}
            <Button
              ref={example}
              size="sm"
              variant="ghost"
              icon={<RotateCcw size={14} aria-hidden />}
              onClick={props.onExample}
            >
              <span className="max-phone:sr-only">Example</span>
            </Button>
            {props.presets}
          </>
        }
        tabs={[
          {
            value: "form",
            label: "Form",
            content: (
              <>
                <p role="status" className="text-table text-muted not-empty:mb-3">
                  {notice}
                </p>
                {tab === "form" && summary}
                <FormTab
                  baseUrl={baseUrl}
                  plan={plan}
                  draft={draft.draft}
                  problems={props.atFields}
                  onValue={draft.setValue}
                  onUploading={props.onUploading}
                  onUnreadable={props.onUnreadable}
                  onJson={() => onTab("json")}
                />
              </>
            ),
          },
          {
            value: "json",
            label: "JSON",
            content: tab === "json" && (
              <>
                {summary}
                <JsonTab draft={draft.draft} disabled={false} onText={draft.setText} />
              </>
            ),
          },
          {
            value: "code",
            label: "Code",
            content: tab === "code" && <CodeTab operation={operation} body={body} baseUrl={baseUrl} />,
          },
        ]}
      />
      {draft.notKept && (
        <p role="status" className="mt-3 text-meta text-warn">
          This draft is too large to save and will be lost on reload. Use uploads instead of inline files.
        </p>
      )}
    </div>
  );
}
