"use client";

import { createContext, useContext, useMemo, useRef, useState } from "react";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
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
import { useDraft } from "./use-draft";
import { useGates } from "./use-gates";
import { useKeys } from "./use-keys";
import { useProblems } from "./use-problems";
import { useRun } from "./use-run";
import { useTweak } from "./use-tweak";

export type InputTab = "form" | "json" | "code";
export type OutputTab = "output" | "raw" | "history";

export interface PlaygroundProps {
  model: CatalogModel;
  operation: CatalogOperation;
  accountId: string;
  /** The gateway's public address, ending with `/v1`, for the code. */
  baseUrl: string;
  /** A prediction or preset whose input is loaded into the draft. */
  from?: string | null;
}

export type PlaygroundState = ReturnType<typeof usePlaygroundState>;

/** What the panes of one playground share. */
export const PlaygroundContext = createContext<PlaygroundState | null>(null);

/** The playground that this is a part of. */
export function usePlayground(): PlaygroundState {
  const state = useContext(PlaygroundContext);
  if (!state) throw new Error("there is no playground around this part");
  return state;
}

/** The draft of one operation, its runs, what is shown of both, and what can be done. */
export function usePlaygroundState({ model, operation, accountId, baseUrl, from = null }: PlaygroundProps) {
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

  const showForm = () => {
    setInputTab("form");
    setPane("input");
  };
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
  /** Ends a stream with its text kept; null where nothing streams. */
  const stop = run.running?.body.stream === true ? run.stop : null;

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
  const loadInput = (input: Record<string, unknown>) => {
    draft.replace(draftFromInput(input));
    check.clear();
    showForm();
  };
  /** What happened to the draft from outside. */
  const notice = useTweak(from, plan, loadInput);
  useKeys({ onRun: start, onStop: stop });

  return {
    model,
    operation,
    accountId,
    baseUrl,
    plan,
    draft,
    body,
    check,
    notice,
    inputTab,
    setInputTab,
    outputTab,
    setOutputTab,
    pane,
    setPane,
    summary,
    runButton,
    /** Uploads of the form that are still on their way. */
    uploading,
    onUploading: (change: 1 | -1) => setUploading((count) => Math.max(0, count + change)),
    showExample() {
      draft.replace(exampleDraft(plan, operation.example));
      check.clear();
    },
    gate: {
      state: gates.state,
      /** Attestations have just been recorded for this draft. */
      recorded,
      /** Those that are asked for now. */
      codes: gate,
      open: openGate,
      openMissing: () => setGate(gates.missing),
      close() {
        setGate([]);
        setPane("input");
        if (gate.some(isPerRequest)) setInputTab("form");
      },
      attested() {
        setGate([]);
        setRecorded(true);
        setPane("input");
        gates.refresh();
      },
    },
    /** The run that is shown, and those before it in this browser. */
    run: run.shown,
    runs: run.runs,
    /** None can be started until this one ends. */
    running,
    start,
    stop,
    show(past: Run) {
      run.show(past);
      setOutputTab("output");
    },
    /** The same body again; with `key` if the first request may have arrived. */
    again(past: Run, key?: string) {
      setOutputTab("output");
      run.start(past.body, key);
    },
    editInput: (past: Run) => loadInput(past.body),
    /** The answer joins the draft's conversation; the next word is the reader's. */
    reply({ body: asked, output }: Run) {
      if (output?.kind !== "chat" || !Array.isArray(asked.messages)) return;
      const rest = draft.draft.value ?? draftFromInput(asked).value;
      draft.replace(writeDraft({ ...rest, messages: withAnswer(asked.messages.filter(isObject), output) }));
      check.clear();
      showForm();
      focusField(`/messages/${asked.messages.length + 1}/content`);
    },
    clearRuns: run.clear,
  };
}
