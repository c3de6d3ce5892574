import { estimatedUsage, withEstimate } from "#gateway/models/providers/estimated-usage.ts";
import type {
  ChatChoice,
  ChatChunk,
  ChatLabels,
  ChatMessage,
  ChatUsage,
  ProviderRequest,
  ToolCall,
} from "#gateway/models/providers/provider.ts";

/** The text of a stream so far, so that an interrupted stream is metered and a complete one can be replayed. */
export interface Transcript {
  /** Whether any chunk has arrived. */
  readonly hasBegun: boolean;
  add(chunk: ChatChunk): void;
  usage(): ChatUsage;
  /**
   * The usage that the upstream reported at the end of the stream, otherwise at its beginning; null if it
   * reported none.
   */
  reported(): ChatUsage | null;
  choices(): ChatChoice[];
  readonly labels: ChatLabels;
}

export function createTranscript(request: ProviderRequest): Transcript {
  const choices = new Map<number, ChatChoice>();
  let reported: ChatUsage | null = null;
  let begun: ChatUsage | null = null;
  const labels: ChatLabels = {};
  return {
    get hasBegun() {
      return choices.size > 0 || reported !== null || begun !== null;
    },
    add(chunk) {
      if (chunk.usage) reported = chunk.usage;
      if (chunk.usageSoFar) begun = chunk.usageSoFar;
      if (chunk.service_tier) labels.service_tier = chunk.service_tier;
      if (chunk.system_fingerprint) labels.system_fingerprint = chunk.system_fingerprint;
      for (const { index, delta, finish_reason: finishReason, logprobs } of chunk.choices) {
        const choice = choices.get(index) ?? emptyChoice(index);
        choices.set(index, choice);
        addDelta(choice.message, delta);
        if (logprobs) {
          choice.logprobs ??= {};
          addMembers(choice.logprobs, logprobs);
        }
        if (finishReason) choice.finish_reason = finishReason;
      }
    },
    usage() {
      if (reported) return reported;
      const said = [...choices.values()].map(({ message }) => message);
      const estimated = estimatedUsage(request, said);
      return begun ? withEstimate(begun, estimated) : estimated;
    },
    reported: () => reported ?? begun,
    choices: () => [...choices.values()],
    labels,
  };
}

function emptyChoice(index: number): ChatChoice {
  return {
    index,
    message: { role: "assistant", content: null, refusal: null },
    finish_reason: null,
    logprobs: null,
  };
}

function addDelta(message: ChatMessage, delta: Record<string, unknown>): void {
  const { role: _, tool_calls: calls, ...said } = delta;
  addMembers(message, said);
  if (Array.isArray(calls)) addToolCalls(message, calls as (Partial<ToolCall> & { index?: number })[]);
}

/**
 * Merges `next` into `all`: strings and lists are appended, other values replaced. Lists are copied when
 * added, so that appending changes no chunk.
 */
function addMembers(all: Record<string, unknown>, next: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(next)) {
    if (value === null || value === undefined) continue;
    const before = Object.hasOwn(all, name) ? all[name] : undefined;
    if (Array.isArray(value) && Array.isArray(before)) {
      for (const item of value) before.push(item);
      continue;
    }
    if (typeof value === "string" && typeof before === "string") {
      all[name] = before + value;
      continue;
    }
    const after = Array.isArray(value) ? [...value] : value;
    // defineProperty, because the upstream chooses the name: a new `__proto__` must not call a setter.
    Object.defineProperty(all, name, { value: after, enumerable: true, configurable: true, writable: true });
  }
}

function addToolCalls(message: ChatMessage, deltas: (Partial<ToolCall> & { index?: number })[]): void {
  const calls = message.tool_calls ?? [];
  message.tool_calls = calls;
  for (const { index, id, type, function: called, ...more } of deltas) {
    const at = index ?? calls.length;
    const call = calls[at] ?? ({} as ToolCall);
    calls[at] = call;
    if (id) call.id = id;
    if (type) call.type = type;
    addMembers(call, more);
    if (!called) continue;
    const { name, arguments: text, ...others } = called;
    const known = call.function ?? { name: "", arguments: "" };
    call.function = {
      ...known,
      ...others,
      name: name ?? known.name,
      arguments: known.arguments + (text ?? ""),
    };
  }
}
