"use client";

import { Bookmark, RotateCcw, Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import type { ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import { useWords } from "#words";
import type { PresetsDialogProps } from "@/components/presets/presets-dialog";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { Tabs } from "@/components/ui/tabs";
import { usePlayground } from "./use-playground.ts";
import { ErrorSummary } from "./use-problems.tsx";

/** Loaded late, for chats: a chat's page is rendered with the conversation instead of the form. */
const FormTab = dynamic(() => import("./form-tab.tsx").then((module) => module.FormTab), { ssr: false });

const JsonTab = dynamic(() => import("./json-tab.tsx").then((module) => module.JsonTab), { ssr: false });

const CodeTab = dynamic(() => import("./code-tab.tsx").then((module) => module.CodeTab), { ssr: false });

const PresetsDialog = dynamic(
  () => import("@/components/presets/presets-dialog").then((module) => module.PresetsDialog),
  {
    ssr: false,
  },
);

/** Form, JSON and code: three views of one draft. */
export function InputPane() {
  const t = useWords("playground");
  const {
    model,
    operation,
    accountId,
    draft,
    sentBody,
    baseUrl,
    inputTab: tab,
    setInputTab,
    ...rest
  } = usePlayground();
  const { check, notice, summary: summaryRef, showExample, formUploads, views } = rest;
  /** Kept while tabs change, because the key cannot be read again. */
  const [madeKey, setMadeKey] = useState<ApiKeyWithSecret | null>(null);
  const example = useRef<HTMLButtonElement>(null);
  const { restore } = draft;
  const isChatShown = tab === "chat" && formUploads === 0;
  // The form stays mounted so that its uploads continue; hidden fields cannot be focused. The chat settings
  // contain the same fields, so while the chat is open, the form is unmounted when its uploads have ended.
  const summary = (
    <ErrorSummary ref={summaryRef} problems={check.problems} onGoTo={() => setInputTab("form")} />
  );
  return (
    <div className="pb-4">
      <Tabs
        keepMounted
        label={t("viewsOfTheInput")}
        value={tab}
        onChange={setInputTab}
        actions={
          <>
            {restore && (
              <Button
                size="sm"
                variant="ghost"
                icon={<Undo2 size={14} aria-hidden />}
                onClick={() => {
                  restore();
                  // The undo button disappears, so the focus moves.
                  example.current?.focus();
                }}
              >
                <span className="max-phone:sr-only">{t("undo")}</span>
              </Button>
            )}
            <Button
              ref={example}
              size="sm"
              variant="ghost"
              icon={<RotateCcw size={14} aria-hidden />}
              onClick={showExample}
            >
              <span className="max-phone:sr-only">{t("example")}</span>
            </Button>
            <PresetsButton
              model={model.id}
              apiType={operation.api_type}
              accountId={accountId}
              input={draft.draft.value}
            />
          </>
        }
        tabs={[
          ...(rest.isChat
            ? [
                {
                  value: "chat" as const,
                  label: t("chat"),
                  content: (
                    <>
                      {tab === "chat" && (
                        <p role="status" className="text-table text-muted not-empty:mb-3">
                          {formUploads > 0 ? t("aFileOfTheForm") : notice}
                        </p>
                      )}
                      {views.chat}
                    </>
                  ),
                },
              ]
            : []),
          {
            value: "form",
            label: t("form"),
            content: !isChatShown && (
              <>
                <p role="status" className="text-table text-muted not-empty:mb-3">
                  {notice}
                </p>
                {tab === "form" && summary}
                {views.form ?? <FormTab />}
              </>
            ),
          },
          {
            value: "json",
            label: t("json"),
            content: tab === "json" && (
              <>
                {summary}
                <JsonTab draft={draft.draft} plan={rest.plan} disabled={false} onText={draft.setText} />
              </>
            ),
          },
          {
            value: "code",
            label: t("code"),
            content: tab === "code" && (
              <CodeTab
                model={model.id}
                operation={operation}
                body={sentBody}
                baseUrl={baseUrl}
                madeKey={madeKey}
                onKey={setMadeKey}
              />
            ),
          },
        ]}
      />
      {draft.notKept && (
        <p role="status" className="mt-3 text-meta text-warn">
          {t("thisDraftIsTooLarge")}
        </p>
      )}
    </div>
  );
}

/** Opens the presets of an operation. */
function PresetsButton(props: Omit<PresetsDialogProps, "open" | "onClose">) {
  const t = useWords("playground");
  const { may } = useAccess();
  const [open, setOpen] = useState(false);
  // Loaded on demand, then stays mounted, because the user may still undo a deletion.
  const [wanted, setWanted] = useState(false);
  if (!may("presets:read")) return null;
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        icon={<Bookmark size={14} aria-hidden />}
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        <span className="max-phone:sr-only">{t("presets")}</span>
      </Button>
      {wanted && <PresetsDialog {...props} open={open} onClose={() => setOpen(false)} />}
    </>
  );
}
