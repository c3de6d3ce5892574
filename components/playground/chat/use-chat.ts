"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { ApiType, CatalogModel } from "#contract/catalog.ts";
import type { AnswerFacts } from "#contract/conversations.ts";
import { isSame } from "#contract/input-schema/json-values.ts";
import { useWords } from "#words";
import { useKeptDraft } from "@/components/ui/form/use-kept-draft";
import { useUnloadWarning } from "@/components/ui/form/use-unload-warning";
import { useToast } from "@/components/ui/toast";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import type { ChatOutput, Run } from "@/lib/browser/runs/run";
import { newRunKey } from "@/lib/browser/runs/run-key";
import { type Branches, branchAt, placesOf, withPath } from "@/lib/conversations/branches";
import {
  conversationStore,
  type KeptConversation,
  newConversation,
} from "@/lib/conversations/kept-conversation";
import { notPriced } from "@/lib/conversations/sum-of-answers";
import {
  asksForAnswer,
  beforeQuestion,
  emptyMessage,
  isEmptyMessage,
  messagesOf,
  type Thread,
  threadOf,
  upToQuestion,
  withResult,
} from "@/lib/conversations/thread";
import { queryKeys } from "@/lib/query-keys";
import { confirmationKey, toRequest } from "@/lib/schema-form/draft";
import type { JsonObject } from "@/lib/schema-form/json";
import { withAnswer } from "@/lib/schema-form/messages";
import { usePlayground } from "../use-playground.ts";
import { useRun } from "../use-run.ts";

export type Column = "first" | "second";

type Messages = readonly JsonObject[];

export type Chat = ReturnType<typeof useChat>;

/** The draft as a conversation: its messages, the message that the user is writing, and the actions. */
export function useChat() {
  const playground = usePlayground();
  const { model, operation, accountId, plan, opened, setAnswering } = playground;
  const t = useWords("playground");
  const { toast } = useToast();
  const { conversation, latest: kept, update, notKept } = useConversation(accountId, operation.id);

  const thread = useThread();
  const { past, next } = thread;
  const second = conversation.second;

  const models = useChatModels(operation.api_type, second !== null);
  const secondModel = models?.find(({ id }) => id === second?.model) ?? null;
  const secondOperation =
    secondModel?.operations.find(({ api_type: apiType }) => apiType === operation.api_type) ?? null;

  const setPast = (column: Column, change: (past: Messages) => Messages) => {
    if (column === "first") thread.change((now) => ({ ...now, past: change(now.past) }));
    else
      update((now) => ({ ...now, second: now.second && { ...now.second, past: change(now.second.past) } }));
  };
  const onAnswer =
    (column: Column): Parameters<typeof useLane>[0]["onAnswer"] =>
    (asked, answered, facts) => {
      const answer = answered.slice(0, asked.length + 1);
      update((now) => ({ ...now, branches: withPath(now.branches, answer, facts) }));
      // If the user has opened another branch since, the answer becomes a branch.
      setPast(column, (now) => (isSamePast(now, asked) ? answered : now));
    };
  const first = useLane({ onAnswer: onAnswer("first") });
  const other = useLane({ onAnswer: onAnswer("second") });
  const otherRun = useRun(secondOperation ?? operation, accountId, { onEnd: other.onEnd });

  const running = playground.running || otherRun.running !== null;
  useEffect(() => setAnswering(running), [setAnswering, running]);
  useUnloadWarning(running);

  /** Builds the request for these messages with the current settings. */
  const bodyFor = (messages: Messages): JsonObject => {
    const now = thread.value.current;
    const { system } = threadOf(now.messages);
    const body = toRequest({ ...now, messages: [...(system ? [system] : []), ...messages] }, plan);
    return operation.execution_mode.includes("stream") ? { stream: true, ...body } : body;
  };

  const startSecond = (asked: Messages, body: JsonObject, key?: string) =>
    other.ask(
      asked,
      (key) => {
        otherRun.start(body, key);
        return true;
      },
      key,
    );

  /**
   * Requests an answer to these messages from the models. Returns false and keeps the draft if that was not
   * possible.
   */
  const ask = (asked: Partial<Record<Column, Messages>>): boolean => {
    const { first: toFirst, second: toSecond } = asked;
    if (running) return false;
    if (toFirst && !first.ask(toFirst, (key) => playground.send(bodyFor(toFirst), key))) return false;
    if (toSecond && secondModel) startSecond(toSecond, bodyForModel(secondModel, bodyFor(toSecond)));
    update((now) => {
      const isSame = !toFirst || belongsTo(now, toFirst);
      const same = isSame ? now : { ...now, branches: [], saved: null };
      // Messages written in the form are in no branch yet. The current messages are added too, so that they
      // stay available as another branch.
      const paths = [isSame ? past : [], toFirst ?? [], toSecond ?? []];
      return { ...same, branches: paths.reduce<Branches>((all, path) => withPath(all, path), same.branches) };
    });
    if (toSecond) setPast("second", () => toSecond);
    if (toFirst) {
      thread.dropConfirmation();
      setPast("first", () => toFirst);
    }
    return true;
  };

  const hasMessage = next !== null && !isEmptyMessage(next);
  const mayAsk = hasMessage || asksForAnswer(past);

  const send = () => {
    if (!mayAsk || !thread.isReadable) return;
    const newMessages = hasMessage && next ? [next] : [];
    const isSent = ask({
      first: [...past, ...newMessages],
      ...(second &&
        secondModel &&
        (hasMessage || asksForAnswer(second.past)) && { second: [...second.past, ...newMessages] }),
    });
    if (isSent) thread.change((now) => ({ ...now, next: emptyMessage }));
  };
  const stop = () => {
    playground.stopRun();
    otherRun.stop();
  };

  const { chat } = playground;
  useLayoutEffect(() => {
    chat.current = { send, stop, onEnd: first.onEnd };
  });

  // Opening a conversation replaces the draft and all its state. Undoing restores both.
  const taken = useRef<typeof opened>(null);
  useEffect(() => {
    if (opened === null || taken.current === opened) return;
    taken.current = opened;
    replace(opened.conversation, opened.before);
  });
  const replace = (now: KeptConversation, before: JsonObject | null) => {
    const keptBefore = kept.current;
    update(() => now);
    toast({
      title: now.saved ? t("openedName", { name: now.saved.name }) : t("newConversation"),
      ...(before && {
        action: {
          label: t("undo"),
          onClick: () => {
            thread.put(before);
            update(() => keptBefore);
          },
        },
      }),
    });
  };

  return {
    model,
    next: next ?? emptyMessage,
    unreadable: !thread.isReadable,
    notKept,
    conversation,
    /** The saved conversation, if the visible messages belong to it. */
    saved: belongsTo(conversation, past) ? conversation.saved : null,
    running,
    mayAsk,
    columns: {
      first: {
        column: "first" as Column,
        model,
        past,
        run: first.runFor(past, playground.latestRun),
        lastRun: first.own(playground.latestRun),
      },
      second: second && {
        column: "second" as Column,
        model: secondModel,
        modelId: second.model,
        /** True when the model is no longer offered. */
        isGone: models !== null && secondOperation === null,
        past: second.past,
        run: other.runFor(second.past, otherRun.shown),
        lastRun: other.own(otherRun.shown),
      },
    },
    send,
    stop,
    /** The conversation's request body, which is stored when the user saves the conversation. */
    draftValue: () => thread.value.current,
    keptNow: () => kept.current,
    update,
    write: (message: JsonObject) => thread.change((now) => ({ ...now, next: message })),
    addPicture(change: (message: JsonObject) => JsonObject) {
      thread.change((now) => ({ ...now, next: change(now.next ?? emptyMessage) }));
    },
    /** Replaces a message. A user's message is sent again to both models; an answer is only changed. */
    edit(column: Column, at: number, message: JsonObject) {
      const here = pastOf(column);
      const changed = [...here.slice(0, at), message];
      if (message.role !== "user") {
        update((now) => ({ ...now, branches: withPath(withPath(now.branches, here), changed) }));
        return setPast(column, () => changed);
      }
      const number = here.slice(0, at).filter(({ role }) => role === "user").length;
      const otherWise = (messages: Messages) => [...beforeQuestion(messages, number), message];
      const before = kept.current.branches;
      update((now) => ({ ...now, branches: withPath(withPath(now.branches, here), changed) }));
      const asked = {
        first: column === "first" ? changed : otherWise(past),
        ...(second && secondModel && { second: column === "second" ? changed : otherWise(second.past) }),
      };
      if (!ask(asked)) update((now) => ({ ...now, branches: before }));
    },
    /** Requests another answer at this position, as a new branch. */
    again: (column: Column, at: number) => ask({ [column]: pastOf(column).slice(0, at) }),
    sendResults: (column: Column) => (hasMessage ? send() : ask({ [column]: pastOf(column) })),
    /**
     * Sends the same request again. Pass the `key` of the first request if that may have arrived, so that it
     * runs only once.
     */
    retry(column: Column, { body }: Run, key?: string) {
      if (column === "second") startSecond(second?.past ?? [], body, key);
      else first.ask(past, (next) => playground.send(body, next), key);
    },
    /** Opens another branch. */
    show(column: Column, place: number) {
      update((now) => ({ ...now, branches: withPath(now.branches, pastOf(column)) }));
      setPast(column, () => branchAt(kept.current.branches, place));
    },
    answerCall: (column: Column, at: number, id: string, text: string) =>
      setPast(column, (now) => withResult(now, at, id, text)),
    startNew() {
      const before = thread.value.current;
      thread.change(({ system }) => ({ system, past: [], next: emptyMessage }));
      const second = kept.current.second && { ...kept.current.second, past: [] };
      replace({ ...newConversation, second }, before);
    },
    /** Adds a second model, which gets the first model's last question. Null removes it. */
    setSecond: (id: string | null) =>
      update((now) => ({ ...now, second: id === null ? null : { model: id, past: upToQuestion(past) } })),
  };

  function pastOf(column: Column): Messages {
    return column === "first" ? past : (second?.past ?? []);
  }
}

interface LaneHandlers {
  /**
   * Called with an answer: the messages, and the same messages with the answer and empty results for its
   * calls.
   */
  onAnswer: (asked: Messages, answered: Messages, facts: AnswerFacts) => void;
}

/** The requests to one model and their results. */
function useLane({ onAnswer }: LaneHandlers) {
  const asked = useRef(new Map<string, Messages>());
  const latest = useRef(onAnswer);
  latest.current = onAnswer;
  return {
    /** Remembers which messages the run answers, unless `start` returns false. */
    ask(messages: Messages, start: (key: string) => boolean, key = newRunKey()): boolean {
      asked.current.set(key, messages);
      const isStarted = start(key);
      if (!isStarted) asked.current.delete(key);
      return isStarted;
    },
    onEnd(run: Run): void {
      const messages = asked.current.get(run.key);
      const answer = messages && answerOf(run);
      if (answer) latest.current(messages, messagesWith(messages, answer), factsOf(run, answer));
    },
    /** The run, if this page started it. */
    own: (run: Run | null): Run | null => (run && asked.current.has(run.key) ? run : null),
    /**
     * The run that answered, or failed to answer, these messages. Null if the run belongs to other messages.
     */
    runFor(past: Messages, run: Run | null): Run | null {
      const messages = run && asked.current.get(run.key);
      return messages && isSamePast(messages, past) ? run : null;
    },
  };
}

/** The answer of a run. Null without one. Leaves out calls with arguments that were cut off. */
function answerOf({ output, state }: Run): ChatOutput | null {
  if (output?.kind !== "chat") return null;
  const whole = state === "succeeded" ? output : { ...output, toolCalls: [] };
  return whole.text !== "" || whole.toolCalls.length > 0 ? whole : null;
}

function messagesWith(asked: Messages, answer: ChatOutput): Messages {
  const all = withAnswer(asked, answer);
  return all.at(-1)?.role === "user" ? all.slice(0, -1) : all;
}

/** Compares by identity first, because most messages are the same objects. */
function isSamePast(one: Messages, other: Messages): boolean {
  return (
    one.length === other.length &&
    one.every((message, at) => message === other[at] || isSame(message, other[at]))
  );
}

/** The facts about a run that are stored with its answer. */
function factsOf(run: Run, output: ChatOutput): AnswerFacts {
  const { meta, state } = run;
  const { usage, finishReason } = output;
  const ended = state === "stopped" ? "stopped" : state === "failed" ? "interrupted" : null;
  const model = run.body.model;
  // Every complete answer with a price has its cost.
  const cost = meta?.cost ?? (meta && state === "succeeded" ? notPriced : null);
  return {
    model: typeof model === "string" ? model : run.operationId,
    ...(output.reasoning && { reasoning: output.reasoning }),
    ...(run.thoughtMs != null && { reasoning_ms: run.thoughtMs }),
    ...(run.totalMs !== null && { total_ms: run.totalMs }),
    ...(isCount(usage?.prompt_tokens) && { input_tokens: usage.prompt_tokens }),
    ...(isCount(usage?.completion_tokens) && { output_tokens: usage.completion_tokens }),
    ...(finishReason && finishReason !== "stop" && { finish_reason: finishReason.slice(0, 100) }),
    ...(ended && { ended }),
    ...(cost && !meta?.sandbox && { cost: cost.slice(0, 100) }),
    ...(meta?.sandbox && { sandbox: true }),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

const fiveMinutesMs = 5 * 60_000;

/** Models that run the same kind of operation. Null until loaded. */
export function useChatModels(apiType: ApiType, enabled: boolean): CatalogModel[] | null {
  const { data } = useQuery({
    queryKey: [...queryKeys.models(), "of", apiType],
    queryFn: () => fetchRoute("GET /models", { query: { aliases: false } }),
    staleTime: fiveMinutesMs,
    enabled,
  });
  return data?.data.filter(({ api_types: kinds }) => kinds.includes(apiType)) ?? null;
}

/** A conversation's state in addition to its draft, stored in this browser. */
function useConversation(accountId: string, operationId: string) {
  const store = useMemo(() => conversationStore(accountId, operationId), [accountId, operationId]);
  const { draft, notKept, change } = useKeptDraft<KeptConversation>({
    initial: () => newConversation,
    load: useCallback(() => store.load(), [store]),
    save: useCallback((next: KeptConversation) => store.save(next), [store]),
  });
  // Two answers can end before React renders the first.
  const latest = useRef(draft);
  latest.current = draft;
  const update = useCallback(
    (next: (now: KeptConversation) => KeptConversation) => {
      latest.current = next(latest.current);
      change(latest.current);
    },
    [change],
  );
  return { conversation: draft, latest, update, notKept };
}

/** The draft as a thread. Several changes can follow each other before React renders the first. */
function useThread() {
  const { draft } = usePlayground();
  // While the JSON is invalid, the last valid conversation is shown.
  const value = useRef<JsonObject>({});
  if (draft.draft.value) value.current = draft.draft.value;
  const put = (next: JsonObject) => {
    value.current = next;
    draft.setValue(next);
  };
  const thread = threadOf(value.current.messages);
  return {
    ...thread,
    past: useSamePast(thread.past),
    isReadable: draft.draft.value !== null,
    /** The current draft. */
    value,
    put,
    change(change: (thread: Thread) => Thread) {
      put({ ...value.current, messages: messagesOf(change(threadOf(value.current.messages))) });
    },
    /** The confirmation is valid for one request only. */
    dropConfirmation() {
      const { [confirmationKey]: _confirmed, ...rest } = value.current;
      value.current = rest;
    },
  };
}

/**
 * Returns the same list while it has the same messages, so that memoised components are not rendered again.
 */
function useSamePast(past: readonly JsonObject[]): readonly JsonObject[] {
  const kept = useRef(past);
  const now = kept.current;
  if (now.length !== past.length || now.some((message, at) => message !== past[at])) kept.current = past;
  return kept.current;
}

/** Converts a request for another model: its name, and a region that the model has. */
function bodyForModel({ id, available_regions: regions }: CatalogModel, body: JsonObject): JsonObject {
  const { region, ...rest } = body;
  const known: readonly unknown[] = regions;
  return { ...rest, ...(region !== undefined && known.includes(region) && { region }), model: id };
}

/**
 * Whether these messages belong to this conversation. A different first message means another conversation.
 */
function belongsTo({ branches }: KeptConversation, past: readonly JsonObject[]): boolean {
  return branches.length === 0 || past.length === 0 || placesOf(branches, past.slice(0, 1))[0] !== null;
}
