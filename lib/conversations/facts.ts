import type { AnswerFacts } from "#contract/conversations.ts";
import type { ChatOutput, Run } from "../browser/runs/run.ts";

/** What is kept of a run beside its answer. */
export function factsOf(run: Run, output: ChatOutput): AnswerFacts {
  const { meta, state } = run;
  const { usage, finishReason } = output;
  const ended = state === "stopped" ? "stopped" : state === "failed" ? "interrupted" : null;
  const model = run.body.model;
  return {
    model: typeof model === "string" ? model : run.operationId,
    ...(output.reasoning && { reasoning: output.reasoning }),
    ...(run.thoughtMs != null && { reasoning_ms: run.thoughtMs }),
    ...(run.totalMs !== null && { total_ms: run.totalMs }),
    ...(isCount(usage?.prompt_tokens) && { input_tokens: usage.prompt_tokens }),
    ...(isCount(usage?.completion_tokens) && { output_tokens: usage.completion_tokens }),
    ...(finishReason && finishReason !== "stop" && { finish_reason: finishReason.slice(0, 100) }),
    ...(ended && { ended }),
    ...(meta?.cost && !meta.sandbox && { cost: meta.cost.slice(0, 100) }),
    ...(meta?.sandbox && { sandbox: true }),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
