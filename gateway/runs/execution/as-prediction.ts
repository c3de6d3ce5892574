import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Answer } from "#gateway/platform/http/idempotency.ts";
import { predictionUrl } from "#gateway/runs/predictions/view.ts";

/**
 * A sync result in Replicate's shape, for the generic route: already `succeeded`, with the result as `output` (URLs of
 * images, the text of a chat or transcription, speech as a data URI). Async answers are predictions already.
 */
export function asPrediction(context: Context, answer: Answer): Answer {
  if (Buffer.isBuffer(answer.body)) {
    const type = answer.headers["content-type"] ?? "application/octet-stream";
    const isText = type.includes("charset=utf-8");
    const output = isText
      ? answer.body.toString("utf8")
      : `data:${type};base64,${answer.body.toString("base64")}`;
    return succeeded(context, answer, {}, output);
  }
  const body = answer.body as Record<string, unknown>;
  if (body.object === "prediction") return { ...answer, body: withoutProcessing(body) };
  if (body.error !== undefined) return answer;
  const output = outputOf(body);
  const isChat = Array.isArray(body.choices) && typeof output === "string";
  return succeeded(context, answer, body, output, isChat ? { stream: streamOf(output) } : {});
}

/** Replicate's `run` takes every status of a create but `starting` as the end, and then has no output. */
function withoutProcessing(prediction: Record<string, unknown>): Record<string, unknown> {
  return prediction.status === "processing" ? { ...prediction, status: "starting" } : prediction;
}

/**
 * The text as the events that Replicate's `stream` reads, in the address itself: its clients do not say beforehand that they will stream,
 * so the chat has been answered by then.
 */
function streamOf(text: string): string {
  const lines = text.split("\n").map((line) => `data: ${line}\n`);
  const events = `event: output\nid: 1\n${lines.join("")}\nevent: done\nid: 2\ndata: {}\n\n`;
  return `data:text/event-stream;base64,${Buffer.from(events).toString("base64")}`;
}

function succeeded(
  context: Context,
  answer: Answer,
  body: Record<string, unknown>,
  output: unknown,
  urls: { stream?: string } = {},
): Answer {
  const now = clock.date().toISOString();
  const id = answer.headers["x-svc-generation-id"] ?? "";
  return {
    status: answer.status,
    headers: { ...answer.headers, "content-type": "application/json; charset=utf-8" },
    body: {
      ...body,
      id,
      object: "prediction",
      status: "succeeded",
      output,
      error: null,
      completed_at: now,
      // Replicate's clients need the address of each prediction. This one is whole and is not read again.
      urls: { get: predictionUrl(context, id), ...urls },
    },
  };
}

function outputOf(body: Record<string, unknown>): unknown {
  const { choices, data, text } = body as {
    choices?: { message: { content: string | null } }[];
    data?: unknown;
    text?: string;
  };
  if (choices) return choices[0]?.message.content ?? null;
  if (Array.isArray(data))
    return data.map((file: { url?: string; b64_json?: string }) => file.url ?? file.b64_json);
  return text ?? data ?? null;
}
