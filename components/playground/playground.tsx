"use client";

import dynamic from "next/dynamic";
import { useMemo, useRef, useState } from "react";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { PresetsButton } from "@/components/presets/presets-button";
import { useAccess } from "@/components/team/access";
import { type AttestationCode, isAttestationCode, isPerRequest } from "@/lib/attestations/gates";
import type { Run } from "@/lib/browser/runs/run";
import {
  confirmationKey,
  draftFromInput,
  exampleDraft,
  toRequest,
  writeDraft,
} from "@/lib/schema-form/draft";
import { isObject } from "@/lib/schema-form/json";
import { withAnswer } from "@/lib/schema-form/messages";
import { planForm } from "@/lib/schema-form/plan-form";
import type { Problem } from "@/lib/schema-form/problem";
import { focusField } from "./error-summary";
import { InputPane, type InputTab } from "./input-pane";
import { OutputPane, type OutputTab } from "./output-pane";
import { PaneSwitch } from "./pane-switch";
import { RunBar } from "./run-bar";
import { useDraft } from "./use-draft";
import { useGates } from "./use-gates";
import { useKeys } from "./use-keys";
import { useProblems } from "./use-problems";
import { useRun } from "./use-run";
import { useTweak } from "./use-tweak";

const GateDialog = dynamic(
  () => import("@/components/attestations/gate-dialog").then((module) => module.GateDialog),
  { ssr: false },
);

export interface PlaygroundProps {
  model: CatalogModel;
  operation: CatalogOperation;
  accountId: string;
  /** The gateway's public address, ending with `/v1`, for the code. */
  baseUrl: string;
  /** A prediction or preset whose input is loaded into the draft. */
  from?: string | null;
}

/** One operation: its input on the left, its result on the right. */
export function Playground({ model, operation, accountId, baseUrl, from = null }: PlaygroundProps) {
  const plan = useMemo(() => planForm(model, operation), [model, operation]);
  const draft = useDraft(plan, operation, accountId);
  const body = useMemo(
    () => (draft.draft.value ? toRequest(draft.draft.value, plan) : null),
    [draft.draft.value, plan],
  );
  const check = useProblems(body, operation, plan);
  const gates = useGates(model);
  const [gate, setGate] = useState<readonly AttestationCode[]>([]);
  const [recorded, setRecorded] = useState(false);
  const [inputTab, setInputTab] = useState<InputTab>("form");
  const [outputTab, setOutputTab] = useState<OutputTab>("output");
  const [pane, setPane] = useState<"input" | "result">("input");
  const [uploading, setUploading] = useState(0);
  const { may } = useAccess();
  const runButton = useRef<HTMLButtonElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const showProblems = (found: readonly Problem[]) => {
    setPane("input");
    const [only] = found;
    // The one thing to do is at the box itself.
    if (found.length === 1 && only?.path === `/${confirmationKey}`) {
      setInputTab("form");
      return focusField(only.path);
    }
    // The code has no place for them.
    setInputTab((tab) => (tab === "code" ? "form" : tab));
    requestAnimationFrame(() => summary.current?.focus());
  };
  /** What a refusal names, with all else that is known to be missing; a run's own confirmation is given in the form. */
  const openGate = (code: AttestationCode) => setGate(gates.missing.includes(code) ? gates.missing : [code]);

  const run = useRun(operation, accountId, {
    onEnd(ended: Run) {
      const { failure } = ended;
      if (!failure) return;
      // Never sent again automatically: the person resolves it, then presses Run.
      if (isAttestationCode(failure.code)) return openGate(failure.code);
      const refused = check.refuse(failure, ended.body);
      if (refused.length > 0) showProblems(refused);
    },
  });
  const running = run.running !== null;
  const stoppable = run.running?.body.stream === true;

  const start = () => {
    if (!may("operations:run") || running || uploading > 0) return;
    if (!body) return setInputTab("json");
    const found = check.check(body);
    if (found.length > 0) return showProblems(found);
    if (gates.missing.length > 0) return setGate(gates.missing);
    setRecorded(false);
    setPane("result");
    setOutputTab("output");
    draft.clearConfirmation();
    run.start(body);
  };
  /** The same body again; with `key` if the first request may have arrived. */
  const again = (past: Run, key?: string) => {
    setOutputTab("output");
    run.start(past.body, key);
  };
  const loadInput = (input: Record<string, unknown>) => {
    draft.replace(draftFromInput(input));
    check.clear();
    setInputTab("form");
    setPane("input");
  };
  /** The answer joins the draft's conversation; the next word is the reader's. */
  const reply = ({ body: asked, output }: Run) => {
    if (output?.kind !== "chat" || !Array.isArray(asked.messages)) return;
    const rest = draft.draft.value ?? draftFromInput(asked).value;
    draft.replace(writeDraft({ ...rest, messages: withAnswer(asked.messages.filter(isObject), output) }));
    check.clear();
    setInputTab("form");
    setPane("input");
    focusField(`/messages/${asked.messages.length + 1}/content`);
  };
  const tweak = useTweak(from, plan, loadInput);
  useKeys({ onRun: start, onStop: stoppable ? run.stop : null });

  return (
    <div data-wide className="flex min-w-0 flex-col gap-3">
      <PaneSwitch pane={pane} onChange={setPane} running={running} />
      <div className="grid min-w-0 grid-cols-1 items-start gap-4 desktop:grid-cols-2">
        <section
          aria-label="Input"
          className={`min-w-0 rounded-panel border bg-panel px-4 pt-2 ${pane === "result" ? "max-desktop:hidden" : ""}`}
        >
          <InputPane
            tab={inputTab}
            onTab={setInputTab}
            plan={plan}
            operation={operation}
            draft={draft}
            body={body}
            baseUrl={baseUrl}
            problems={check.problems}
            atFields={check.atFields}
            onUnreadable={check.onUnreadable}
            summaryRef={summary}
            notice={tweak}
            presets={
              <PresetsButton
                model={model.id}
                apiType={operation.api_type}
                accountId={accountId}
                input={draft.draft.value}
              />
            }
            onExample={() => {
              draft.replace(exampleDraft(plan, operation.example));
              check.clear();
            }}
            onUploading={(change) => setUploading((count) => Math.max(0, count + change))}
          />
          <RunBar
            model={model}
            operation={operation}
            body={body}
            gates={gates.state}
            recorded={recorded}
            onOpenGate={() => setGate(gates.missing)}
            running={running}
            stoppable={stoppable}
            uploading={uploading}
            onRun={start}
            onStop={run.stop}
            runRef={runButton}
          />
        </section>
        <section
          aria-label="Result"
          className={`min-w-0 rounded-panel border bg-panel px-4 pt-2 pb-4 desktop:sticky desktop:top-[68px] ${pane === "input" ? "max-desktop:hidden" : ""}`}
        >
          <OutputPane
            tab={outputTab}
            onTab={setOutputTab}
            model={model}
            operation={operation}
            run={run.shown}
            runs={run.runs}
            busy={running}
            onStop={stoppable ? run.stop : null}
            onShow={(past) => {
              run.show(past);
              setOutputTab("output");
            }}
            onAgain={again}
            onTweak={(past) => loadInput(past.body)}
            onReply={reply}
            onClear={run.clear}
            onGate={openGate}
          />
        </section>
      </div>
      {gate.length > 0 && (
        <GateDialog
          open
          codes={gate}
          model={model.id}
          returnFocus={
            gate.some(isPerRequest)
              ? () => focusField(`/${confirmationKey}`)
              : () => runButton.current?.focus()
          }
          onClose={() => {
            setGate([]);
            setPane("input");
            if (gate.some(isPerRequest)) setInputTab("form");
          }}
          onAttested={() => {
            setGate([]);
            setRecorded(true);
            setPane("input");
            gates.refresh();
          }}
        />
      )}
    </div>
  );
}
