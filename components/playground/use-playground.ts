"use client";

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { useKeptDraft } from "@/components/ui/form/use-kept-draft";
import { type AttestationCode, isAttestationCode, isPerRequest } from "@/lib/attestations/gates";
import type { Run } from "@/lib/browser/runs/run";
import { conversationStore, type KeptConversation } from "@/lib/conversations/kept-conversation";
import { withoutEmptyEnd } from "@/lib/conversations/thread";
import {
  confirmationKey,
  type Draft,
  draftFromInput,
  draftsStore,
  exampleDraft,
  readDraft,
  toRequest,
  writeDraft,
} from "@/lib/schema-form/draft";
import { isObject, type JsonObject } from "@/lib/schema-form/json";
import { withAnswer } from "@/lib/schema-form/messages";
import type { FormPlan } from "@/lib/schema-form/plan";
import { planForm } from "@/lib/schema-form/plan-form";
import type { Problem } from "@/lib/schema-form/problem-messages";
import { useGates } from "./use-gates.ts";
import { useKeys } from "./use-keys.ts";
import { focusField, useProblems } from "./use-problems.tsx";
import { useRun } from "./use-run.ts";
import { useTweak } from "./use-tweak.ts";

export type InputTab = "chat" | "form" | "json" | "code";

export type OutputTab = "output" | "raw" | "history";

export interface PlaygroundProps {
  model: CatalogModel;
  operation: CatalogOperation;
  accountId: string;
  /** The gateway's public address for the code, which ends with `/v1`. */
  baseUrl: string;
  /** The model's example output. Null if there is none. */
  example?: ReactNode;
  /** A prediction or preset with the input for the draft. */
  from?: string | null;
  /** Views that are rendered with the page. The other views load late. */
  views?: { form?: ReactNode; chat?: ReactNode; settings?: ReactNode };
}

export type PlaygroundState = ReturnType<typeof usePlaygroundState>;

/** The actions of a chat, which replace those of the form. */
export interface ChatView {
  send: () => void;
  stop: () => void;
  /** Called with each run that has ended. */
  onEnd: (run: Run) => void;
}

/** A saved conversation that was opened, and the draft that it replaced. */
export interface OpenedConversation {
  conversation: KeptConversation;
  before: JsonObject | null;
}

/** The state that the panes of a playground share. */
export const PlaygroundContext = createContext<PlaygroundState | null>(null);

/** The surrounding playground. */
export function usePlayground(): PlaygroundState {
  const state = useContext(PlaygroundContext);
  if (!state) throw new Error("this component must be inside a playground");
  return state;
}

/** The view, the draft, the attestations and the runs of one operation, and the actions on them. */
export function usePlaygroundState(props: PlaygroundProps) {
  const { model, operation, accountId, baseUrl, example = null, from = null, views = {} } = props;
  const form = useWords("inputForm");
  const plan = useMemo(() => planForm(model, operation, form), [model, operation, form]);
  /** Whether the messages of the draft can be shown as a conversation. */
  const isChat = plan.fields.some(({ kind }) => kind === "messages");
  /** The surrounding chat, if it is shown. */
  const chat = useRef<ChatView | null>(null);
  /** Whether any model of the conversation is answering. */
  const [answering, setAnswering] = useState(false);

  const { showForm, showInput, showProblems, ...view } = useView(isChat, operation, accountId);
  const { loadInput, ...input } = useInput(plan, operation, accountId, { ...view, showInput });
  const { missing, forgetRecorded, ...gate } = useGate(model, { ...view, showForm });
  const { draft, body, check } = input;

  const run = useRun(operation, accountId, {
    onEnd(ended: Run) {
      const { failure } = ended;
      chat.current?.onEnd(ended);
      if (!failure) return;
      // Never repeated automatically: the person attests, then chooses Run.
      if (isAttestationCode(failure.code)) return gate.open(failure.code);
      const refused = check.refuse(failure, ended.body);
      if (refused.length > 0) showProblems(refused);
    },
  });
  const running = run.running !== null;
  const { may } = useAccess();

  /** Checks a body and runs it. Returns false and shows the problems if the body fails a check. */
  const send = (wanted: JsonObject, key?: string): boolean => {
    if (!may("operations:run") || running || input.uploading > 0) return false;
    const found = check.check(wanted);
    if (found.length > 0) showProblems(found);
    else if (missing.length > 0) gate.openMissing();
    if (found.length > 0 || missing.length > 0) return false;
    forgetRecorded();
    draft.clearConfirmation();
    run.start(wanted, key);
    return true;
  };
  const start = () => {
    if (view.inputTab === "chat") return chat.current?.send();
    if (!body) return view.setInputTab("json");
    if (!send(body)) return;
    view.setPane("result");
    view.setOutputTab("output");
  };
  /** Message about an input that was loaded from another page. */
  const notice = useTweak(from, plan, operation.example as JsonObject, loadInput);
  /** Stops a stream and keeps its text. Null if nothing is streaming. */
  const stop = run.running?.body.stream === true ? run.stop : null;
  const stopChat = answering ? () => chat.current?.stop() : null;
  useKeys({ onRun: start, onStop: view.inputTab === "chat" ? stopChat : stop });

  return {
    model,
    operation,
    accountId,
    baseUrl,
    views,
    example,
    plan,
    isChat,
    chat,
    answering,
    setAnswering,
    ...view,
    ...input,
    gate,
    notice,
    /** The open run, and earlier runs in this browser. */
    run: run.shown,
    runs: run.runs,
    /** True while a run is in progress. No other run can start until it ends. */
    running,
    latestRun: run.running ?? run.shown,
    send,
    start,
    stop,
    /** Stops the run, whether or not it streams. */
    stopRun: run.stop,
    show(past: Run) {
      run.show(past);
      view.setOutputTab("output");
    },
    /**
     * Sends the same body again. Pass the `key` of the first request if that may have arrived, so that it
     * runs only once.
     */
    again(past: Run, key?: string) {
      view.setOutputTab("output");
      run.start(past.body, key);
    },
    editInput: (past: Run) => loadInput(past.body),
    /** Adds the answer to the draft's conversation, followed by an empty message for the reader. */
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

/** The open tabs, the visible pane, and the elements that take the focus. */
function useView(isChat: boolean, operation: CatalogOperation, accountId: string) {
  const [inputTab, setInputTab] = useState<InputTab>(isChat ? "chat" : "form");
  const [outputTab, setOutputTab] = useState<OutputTab>("output");
  const [pane, setPane] = useState<"input" | "result">("input");
  const runButton = useRef<HTMLButtonElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const store = useMemo(() => conversationStore(accountId, operation.id), [accountId, operation.id]);
  // Before the first paint, so that the chat is not visible first.
  useLayoutEffect(() => {
    if (isChat && store.prefersForm()) setInputTab("form");
  }, [isChat, store]);
  const show = (tab: InputTab) => {
    setInputTab(tab);
    setPane("input");
  };
  return {
    inputTab,
    setInputTab(tab: InputTab) {
      setInputTab(tab);
      if (isChat && (tab === "chat" || tab === "form")) store.rememberView(tab);
    },
    outputTab,
    setOutputTab,
    pane,
    setPane,
    summary,
    runButton,
    showForm: () => show("form"),
    /** The view in which this person writes an input. */
    showInput: () => show(isChat && !store.prefersForm() ? "chat" : "form"),
    showProblems(found: readonly Problem[]) {
      setPane("input");
      const [only] = found;
      // The field for the confirmation itself shows what to do, so no summary is needed.
      if (found.length === 1 && only?.path === `/${confirmationKey}`) {
        setInputTab("form");
        return focusField(only.path);
      }
      // The code tab cannot show problems, so another tab opens.
      setInputTab((tab) => (tab === "code" ? "form" : tab));
      requestAnimationFrame(() => summary.current?.focus());
    },
  };
}

type View = ReturnType<typeof useView>;

/** The draft, the body that it makes, its problems, and the uploads for it. */
function useInput(
  plan: FormPlan,
  operation: CatalogOperation,
  accountId: string,
  view: Pick<View, "inputTab" | "setInputTab" | "setPane" | "showInput">,
) {
  const draft = useDraft(plan, operation, accountId);
  const { value } = draft.draft;
  const body = useMemo(() => (value ? toRequest(value, plan) : null), [value, plan]);
  const isConversation = view.inputTab === "chat" || view.inputTab === "code";
  /** The body of a conversation, without the empty message at its end. */
  const sentBody = useMemo(
    () => (body && isConversation ? withoutEmptyEnd(body) : body),
    [body, isConversation],
  );
  const check = useProblems(sentBody, operation, plan);
  const [opened, setOpened] = useState<OpenedConversation | null>(null);
  const [uploading, setUploading] = useState(0);
  const [formUploads, setFormUploads] = useState(0);
  const onUploading = (change: 1 | -1) => setUploading((count) => Math.max(0, count + change));
  return {
    draft,
    body,
    sentBody,
    check,
    /** A saved conversation that was just opened. */
    opened,
    loadInput(input: Record<string, unknown>, conversation?: KeptConversation) {
      check.clear();
      const next = draftFromInput(input);
      if (!conversation) {
        draft.replace(next);
        return view.showInput();
      }
      // The conversation restores both the draft and its own state.
      draft.setText(next.text);
      setOpened({ conversation, before: value });
      view.setPane("input");
      view.setInputTab("chat");
    },
    showExample() {
      draft.replace(exampleDraft(plan, operation.example));
      check.clear();
    },
    /** Number of uploads in progress, and those of the form's fields among them. */
    uploading,
    formUploads,
    onUploading,
    onFormUploading(change: 1 | -1) {
      setFormUploads((count) => Math.max(0, count + change));
      onUploading(change);
    },
  };
}

const noGate = { codes: [], model: "" };

/** The attestations that the model requires, and the dialog that asks for them. */
function useGate(model: CatalogModel, view: Pick<View, "setPane" | "showForm">) {
  const { state, missing, refresh } = useGates(model);
  const [asked, setAsked] = useState<{ codes: readonly AttestationCode[]; model: string }>(noGate);
  const [recorded, setRecorded] = useState(false);
  return {
    state,
    missing,
    /** True when attestations were just recorded for this draft. */
    recorded,
    forgetRecorded: () => setRecorded(false),
    /** The error codes of the attestations that are now required. */
    codes: asked.codes,
    /** The model that requires these attestations. */
    model: asked.model,
    /**
     * Asks for the attestation that a refusal names, and for all others that are known to be missing. The form
     * asks for the confirmation that each run needs.
     */
    open: (code: AttestationCode, of = model.id) =>
      setAsked({ codes: of === model.id && missing.includes(code) ? missing : [code], model: of }),
    openMissing: () => setAsked({ codes: missing, model: model.id }),
    close() {
      setAsked(noGate);
      view.setPane("input");
      if (asked.codes.some(isPerRequest)) view.showForm();
    },
    attested() {
      setAsked(noGate);
      setRecorded(true);
      view.setPane("input");
      refresh();
    },
  };
}

/** The draft of one operation. The first draft is the operation's example. */
export function useDraft(plan: FormPlan, operation: CatalogOperation, accountId: string) {
  const store = useMemo(() => draftsStore(accountId), [accountId]);
  const { draft, notKept, change, replace, restore } = useKeptDraft<Draft>({
    initial: () => exampleDraft(plan, operation.example),
    load: useCallback(() => store.load(operation.id), [store, operation.id]),
    save: useCallback((next: Draft) => store.save(operation.id, next), [store, operation.id]),
  });
  return {
    draft,
    notKept,
    setText: (text: string) => change(readDraft(text)),
    setValue: (value: JsonObject) => change(writeDraft(value)),
    replace,
    restore,
    /** Each run needs a new confirmation. */
    clearConfirmation() {
      if (!draft.value || !(confirmationKey in draft.value)) return;
      const { [confirmationKey]: _confirmed, ...rest } = draft.value;
      change(writeDraft(rest));
    },
  };
}
