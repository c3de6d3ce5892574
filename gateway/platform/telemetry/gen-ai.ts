import type { Facts, ModelAnswer, ModelCall } from "./telemetry.ts";

/** At most this many combinations are cached: labels should have few values, but nothing guarantees that. */
const most = 2_000;

type Branch<Value> = Map<unknown, Branch<Value> | Value>;

/**
 * Caches objects by a fixed number of strings, so that each combination is created once: a metric is found by
 * its labels' object. The strings are looked up one after the other, because a joined string would have to be
 * hashed each time.
 */
export class MadeOnce<Value> {
  private root: Branch<Value> = new Map();
  private size = 0;

  of(words: readonly unknown[], make: () => Value): Value {
    let branch = this.root;
    const last = words.length - 1;
    for (let place = 0; place < last; place += 1) {
      let next = branch.get(words[place]) as Branch<Value> | undefined;
      if (!next) {
        next = new Map();
        branch.set(words[place], next);
      }
      branch = next;
    }
    const known = branch.get(words[last]) as Value | undefined;
    if (known !== undefined) return known;
    const value = make();
    branch.set(words[last], value);
    this.size += 1;
    if (this.size > most) this.forgetAll();
    return value;
  }

  private forgetAll(): void {
    this.root = new Map();
    this.size = 0;
  }
}

/** The recorded text of a conversation is cut to this many characters. */
const longestContent = 100_000;

/** Names that the GenAI conventions define for our operations. Other operations keep the catalog's name. */
const operationNames = new Map([["chat-completions", "chat"]]);
const outputTypes = new Map([
  ["chat-completions", "text"],
  ["audio-transcription", "text"],
  ["text-to-speech", "speech"],
  ["image-generation", "image"],
  ["image-editing", "image"],
  ["video-generation", "video"],
]);

type Called = Pick<ModelCall, "apiType" | "model" | "provider" | "region">;

/** The shared facts of all calls of a kind. */
export interface CallKind {
  name: string;
  /** Labels of metrics, with few values. */
  labels: Facts;
  inputLabels: Facts;
  outputLabels: Facts;
  facts: Facts;
}

const kinds = new MadeOnce<CallKind>();

/** `code`: how the call failed. */
export function callKind({ apiType, model, provider, region }: Called, code: string | null): CallKind {
  return kinds.of([model, provider, region, apiType, code], () => {
    const operation = operationNames.get(apiType) ?? apiType;
    const facts = {
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": model,
      "gatehouse.region": region,
    };
    const labels = { ...facts, ...(code !== null && { "error.type": code }) };
    return {
      name: `${operation} ${model}`,
      labels,
      inputLabels: { ...labels, "gen_ai.token.type": "input" },
      outputLabels: { ...labels, "gen_ai.token.type": "output" },
      facts: { ...facts, "gen_ai.output.type": outputTypes.get(apiType) },
    };
  });
}

const accounts = new MadeOnce<Facts>();

/** The facts about an account, always in the same object. */
export function accountFacts(accountId: string): Facts {
  return accounts.of([accountId], () => ({ "gatehouse.account.id": accountId }));
}

/** The facts of a run that was not answered. */
export function runFacts(runId: string): Facts {
  return { "gatehouse.run.id": runId };
}

export function inputFacts({ input }: ModelCall): Facts {
  const { messages, prompt, input: text } = input;
  const said = Array.isArray(messages) ? messages : [{ role: "user", content: prompt ?? text }];
  return { "gen_ai.input.messages": asMessages(said) };
}

const reasons = new MadeOnce<Facts>();

/**
 * The facts about an answer's finish reasons, in the same object for equal reasons. There are few
 * combinations, because few answers have several choices.
 */
export function reasonFacts(finishReasons: string[]): Facts {
  const make = () => ({ "gen_ai.response.finish_reasons": finishReasons });
  return finishReasons.length === 1 ? reasons.of(finishReasons, make) : make();
}

export function answerFacts(runId: string, { tokens }: ModelAnswer): Facts {
  return {
    "gatehouse.run.id": runId,
    "gen_ai.response.id": runId,
    "gen_ai.usage.input_tokens": tokens?.input,
    "gen_ai.usage.output_tokens": tokens?.output,
    "gen_ai.usage.cache_read.input_tokens": tokens?.cached,
  };
}

export function outputFacts({ messages }: ModelAnswer): Facts {
  if (!messages) return {};
  return {
    "gen_ai.output.messages": asMessages(messages().map((message) => ({ role: "assistant", ...message }))),
  };
}

/** In the conventions' format: text and tool calls; media only as their presence. */
function asMessages(messages: readonly unknown[]): string {
  const told = messages.map((message) => {
    const { role, content, tool_calls: calls } = message as Record<string, unknown>;
    const parts = (Array.isArray(content) ? content : content ? [content] : []).map(asPart);
    return { role, parts: [...parts, ...(Array.isArray(calls) ? calls.map(asCall) : [])] };
  });
  const text = JSON.stringify(told);
  return text.length <= longestContent ? text : `${text.slice(0, longestContent)}…`;
}

function asPart(part: unknown): object {
  if (typeof part === "string") return { type: "text", content: part };
  const { type, text } = (part ?? {}) as Record<string, unknown>;
  return typeof text === "string" ? { type: "text", content: text } : { type: String(type ?? "media") };
}

function asCall(call: unknown): object {
  const { id, function: called } = (call ?? {}) as { id?: unknown; function?: Record<string, unknown> };
  return { type: "tool_call", id, name: called?.name, arguments: called?.arguments };
}
