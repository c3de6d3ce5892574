import type { FastifyReply, FastifyRequest } from "fastify";
import type { Item, Response } from "#contract/responses.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import { recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import { drained, openEventStream, unbuffered } from "#gateway/platform/http/event-stream.ts";
import { becomeStream } from "#gateway/platform/http/limits.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { doneEvent } from "#gateway/runs/execution/chat-front.ts";
import { endOfKept, firstKept, keptEvents, type ResponseEvent } from "./background/kept-events.ts";
import { responseNow, unfinishedStatus } from "./stored.ts";

const lookMs = 500;
/** A client that reads nothing for this long is disconnected. */
const stalledMs = 60_000;

interface Following {
  id: string;
  /** Only later events are sent. */
  startingAfter: number;
  /** The permission that the caller must keep while following. */
  permission: "predictions:read" | "operations:run";
  /** The item as this client may see it. */
  shown(item: Item): Item;
}

/**
 * Streams the events of a stored response: first the known ones, then new ones as they come, until it has
 * ended, the caller's credential is no longer valid, or this process stops. Throws `response_not_found`.
 */
export async function followResponse(
  context: RunsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, startingAfter, permission, shown }: Following,
): Promise<FastifyReply> {
  const { actor } = request.caller;
  const { queries } = context.database;
  let response = await responseNow(queries, actor.accountId, id);
  await becomeStream(context, request, reply);
  const raw = openEventStream(reply, unbuffered);
  const gone = new AbortController();
  whenClosed(raw, () => gone.abort());
  const stops = [
    context.drain.onBegin(() => gone.abort()),
    context.credentials.watch(actor, permission, () => gone.abort()),
  ];
  const write = async (text: string) => {
    if (raw.write(text) || (await drained(raw, { idleMs: stalledMs, signal: gone.signal }))) return;
    raw.destroy();
  };
  let sent = startingAfter;
  const send = async (events: readonly ResponseEvent[], first: number) => {
    for (const [index, { type, ...data }] of events.entries()) {
      const number = first + index;
      if (number <= sent) continue;
      await write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number, ...data })}\n\n`);
      sent = number;
    }
  };
  /** Sends stored events of a background response; returns true when there are more. */
  const sendKept = async () => {
    const { number, events } = await keptEvents(queries, id, sent + 1);
    await send(
      events.map((event) => (event.item ? { ...event, item: shown(event.item as Item) } : event)),
      number,
    );
    return events.length > 0 && !gone.signal.aborted;
  };
  try {
    while (!gone.signal.aborted && (await context.credentials.isStillAllowed(actor, permission))) {
      const isEnded = !isUnfinished(response);
      const kept = response.background ? await endOfKept(queries, id) : null;
      // Checked again, because the answer may come from another model of the alias than the one requested
      // first.
      if (isEnded || kept) await assertMayLook(context, actor, kept?.model ?? response.model);
      const events = eventsOf(response, shown);
      await send(kept === null ? events : events.slice(0, firstKept), 0);
      while (kept !== null && sent + 1 < kept.end && (await sendKept()));
      if (isEnded) {
        if (kept !== null) await send(events.slice(-1), kept.end);
        await write(doneEvent);
        break;
      }
      await pause(gone.signal);
      const status = await unfinishedStatus(queries, id);
      response = status ? { ...response, status } : await responseNow(queries, actor.accountId, id);
    }
  } catch (error) {
    request.log.info({ err: error }, "a response could not be followed to its end");
  } finally {
    for (const stop of stops) stop();
    raw.end();
  }
  return reply;
}

function isUnfinished({ status }: Response): boolean {
  return status === "queued" || status === "in_progress";
}

/** Resolves after `lookMs`, or when aborted. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, lookMs);
    signal.addEventListener("abort", end);
  });
}

/**
 * The events of a response so far. They are derived from stored data, so each has the same number however
 * often it is sent; a text is one event if its pieces were not stored.
 */
export function eventsOf(response: Response, shown: (item: Item) => Item): ResponseEvent[] {
  const { svc_cost: _, ...kept } = response;
  const nothingYet = { output: [], usage: null, error: null, incomplete_details: null, completed_at: null };
  const at = (status: Response["status"]) => ({ response: { ...kept, ...nothingYet, status } });
  const first = response.background ? "queued" : "in_progress";
  const begun: ResponseEvent[] = [
    { type: "response.created", ...at(first) },
    ...(response.background ? [{ type: "response.queued", ...at("queued") }] : []),
  ];
  if (response.status === "queued") return begun;
  begun.push({ type: "response.in_progress", ...at("in_progress") });
  if (response.status === "in_progress") return begun;
  const whole = { ...response, output: response.output.map(shown) };
  // OpenAI's clients have no event for a cancelled response.
  const end = response.status === "cancelled" ? "incomplete" : response.status;
  return [...begun, ...whole.output.flatMap(itemEvents), { type: `response.${end}`, response: whole }];
}

function itemEvents(item: Item, index: number): ResponseEvent[] {
  const place = { item_id: item.id, output_index: index };
  return [
    { type: "response.output_item.added", output_index: index, item: begunItem(item) },
    ...contentEvents(item, place),
    { type: "response.output_item.done", output_index: index, item },
  ];
}

/** The item before any of its content was written. */
function begunItem(item: Item): Item {
  const { encrypted_content: _, ...rest } = item;
  const status = item.status === undefined ? {} : { status: "in_progress" };
  switch (item.type) {
    case "message":
      return { ...rest, ...status, content: [] };
    case "reasoning":
      return { ...rest, ...status, summary: [] };
    case "function_call":
      return { ...rest, ...status, arguments: "" };
    case "custom_tool_call":
      return { ...rest, ...status, input: "" };
    default:
      return { ...rest, ...status };
  }
}

function contentEvents(item: Item, place: object): ResponseEvent[] {
  switch (item.type) {
    case "message":
      return recordsOf(item.content).flatMap((part, index) =>
        partEvents(part, { ...place, content_index: index }),
      );
    case "reasoning":
      return recordsOf(item.summary).flatMap((part, index) => {
        const at = { ...place, summary_index: index };
        const { text } = part;
        return [
          { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
          { type: "response.reasoning_summary_text.delta", ...at, delta: text },
          { type: "response.reasoning_summary_text.done", ...at, text },
          { type: "response.reasoning_summary_part.done", ...at, part },
        ];
      });
    case "function_call": {
      const { arguments: text, name } = item;
      return [
        { type: "response.function_call_arguments.delta", ...place, delta: text },
        { type: "response.function_call_arguments.done", ...place, name, arguments: text },
      ];
    }
    case "custom_tool_call": {
      const { input } = item;
      return [
        { type: "response.custom_tool_call_input.delta", ...place, delta: input },
        { type: "response.custom_tool_call_input.done", ...place, input },
      ];
    }
    default:
      return [];
  }
}

function partEvents(part: Record<string, unknown>, at: object): ResponseEvent[] {
  if (part.type === "refusal")
    return [
      { type: "response.content_part.added", ...at, part: { ...part, refusal: "" } },
      { type: "response.refusal.delta", ...at, delta: part.refusal },
      { type: "response.refusal.done", ...at, refusal: part.refusal },
      { type: "response.content_part.done", ...at, part },
    ];
  const text = textOf(part.text) ?? "";
  const logprobs = recordsOf(part.logprobs);
  const annotations = recordsOf(part.annotations);
  return [
    {
      type: "response.content_part.added",
      ...at,
      part: { ...part, text: "", annotations: [], logprobs: [] },
    },
    { type: "response.output_text.delta", ...at, delta: text, logprobs },
    ...annotations.map((annotation, index) => ({
      type: "response.output_text.annotation.added",
      ...at,
      annotation_index: index,
      annotation,
    })),
    { type: "response.output_text.done", ...at, text, logprobs },
    { type: "response.content_part.done", ...at, part },
  ];
}
