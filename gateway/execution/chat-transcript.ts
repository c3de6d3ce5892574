import type { ChatChunk, ChatUsage, ProviderRequest } from "#gateway/providers/provider.ts";

/** If a provider reports no usage, tokens are estimated at this many characters each. */
const charactersPerToken = 4;

interface Choice {
  index: number;
  message: {
    role: "assistant";
    content: string | null;
    reasoning_content?: string;
    tool_calls?: ToolCallDelta[];
    refusal: null;
  };
  finish_reason: string | null;
  logprobs: null;
}
interface ToolCallDelta {
  index?: number;
  id?: string;
  type?: string;
  function?: { name?: string; arguments?: string };
}

/** The text of a stream so far, so that an interrupted stream is metered and a complete one can be replayed. */
export interface Transcript {
  add(chunk: ChatChunk): void;
  usage(): ChatUsage;
  choices(): Choice[];
}

export function createTranscript(request: ProviderRequest): Transcript {
  const choices = new Map<number, Choice>();
  let reported: ChatUsage | null = null;
  return {
    add(chunk) {
      if (chunk.usage) reported = chunk.usage;
      for (const { index, delta, finish_reason: finishReason } of chunk.choices) {
        const choice = choices.get(index) ?? emptyChoice(index);
        choices.set(index, choice);
        if (typeof delta.content === "string")
          choice.message.content = (choice.message.content ?? "") + delta.content;
        if (typeof delta.reasoning_content === "string")
          choice.message.reasoning_content =
            (choice.message.reasoning_content ?? "") + delta.reasoning_content;
        if (Array.isArray(delta.tool_calls)) addToolCalls(choice, delta.tool_calls as ToolCallDelta[]);
        if (finishReason) choice.finish_reason = finishReason;
      }
    },
    usage() {
      if (reported) return reported;
      const said = [...choices.values()].reduce((sum, choice) => sum + lengthOf(choice.message), 0);
      const prompt = Math.ceil(JSON.stringify(request.input.messages ?? "").length / charactersPerToken);
      const completion = Math.ceil(said / charactersPerToken);
      return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    },
    choices: () => [...choices.values()],
  };
}

/** All that a model wrote: its thoughts and calls count as its text does. */
function lengthOf({ content, reasoning_content: thoughts, tool_calls: calls }: Choice["message"]): number {
  return (content?.length ?? 0) + (thoughts?.length ?? 0) + (calls ? JSON.stringify(calls).length : 0);
}

function emptyChoice(index: number): Choice {
  return {
    index,
    message: { role: "assistant", content: null, refusal: null },
    finish_reason: null,
    logprobs: null,
  };
}

function addToolCalls(choice: Choice, deltas: ToolCallDelta[]): void {
  choice.message.tool_calls ??= [];
  for (const delta of deltas) {
    const at = delta.index ?? choice.message.tool_calls.length;
    const call = choice.message.tool_calls[at] ?? {};
    choice.message.tool_calls[at] = call;
    if (delta.id) call.id = delta.id;
    if (delta.type) call.type = delta.type;
    if (delta.function) {
      call.function = {
        name: delta.function.name ?? call.function?.name ?? "",
        arguments: (call.function?.arguments ?? "") + (delta.function.arguments ?? ""),
      };
    }
  }
}
