import type { IncomingMessage, Server } from "node:http";
import websocket from "@fastify/websocket";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ulidOf } from "#contract/ids.ts";
import {
  type Compaction,
  compactionTokens,
  type InputItemsQuery,
  type Item,
  type Response,
  type ResponseCompact,
  type ResponseCreate,
  type ResponseQuery,
  responseRoutes,
  socketRoutes,
} from "#contract/responses.ts";
import { hiddenResponse } from "#gateway/events/webhooks/feed.ts";
import { assertMayLook, Clearance } from "#gateway/models/catalog/clearance.ts";
import { recordsOf } from "#gateway/models/providers/http/read-body.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import {
  asSent,
  type ChatFormatter,
  type ChatFront,
  type ChatStamp,
  countTokens,
  underNamesOf,
} from "#gateway/runs/execution/chat-front.ts";

import { type OperationCall, runOperation } from "#gateway/runs/execution/run-operation.ts";
import { metadataHeader, metadataOf, withWorkload } from "#gateway/runs/operations/metadata.ts";
import { readWishes, wishHeader } from "#gateway/runs/operations/provider-wishes.ts";
import { sendReceipt } from "#gateway/runs/provenance/receipts/receipts.ts";
import { acceptResponse, type BackgroundRequest, readBackground } from "./background/accept.ts";
import { cancelResponse } from "./background/settle.ts";
import { followResponse } from "./follow.ts";
import {
  type FormattedResponse,
  formatResponse,
  responseIdOf,
  usageOf,
  withoutSealed,
} from "./format-response.ts";
import {
  chatCall,
  namedItems,
  type ResponseRequest,
  readResponse,
  responsePlaces,
  thoughtsIncluded,
} from "./request.ts";
import type { SealedTexts } from "./sealed-text.ts";
import { Connection, readMessage } from "./socket.ts";
import { deleteResponse, findReceiptOf, findResponse, responseNow, saveResponse } from "./stored.ts";

import { type Turn, turnOf } from "./unstored.ts";

/** The limit of the JSON body, the same as for a chat. */
const bodyBytes = 4_000_000;

/** Appended to the conversation as the model's instruction. */
const question =
  "Write down what is needed to continue this conversation later without it: what was asked and decided, names, numbers and exact words that matter, what was tried, and what is still to do. Write nothing else.";

interface CompactionFormatter extends ChatFormatter {
  body(): Compaction | null;
}

export function installResponses(app: App, context: RunsContext): void {
  const { queries } = context.database;
  if (acceptSockets(app)) installSockets(app, context);
  serve(
    app,
    context,
    responseRoutes,
    {
      "POST /responses": (request, reply) => createResponse(context, request, reply, request.body),
      "POST /responses/compact": (request, reply) => compactResponse(context, request, reply, request.body),
      "POST /responses/input_tokens": async (request) => {
        const { chat, native } = await readResponse(context, request.caller.actor, request.body);
        const counted = await countTokens(context, request, request.body, {
          read: () => [chat.messages, ...recordsOf(chat.tools)],
          call: ({ model }) => ({ apiType: "chat-completions", body: { ...chat, model }, native }),
        });
        return { object: "response.input_tokens" as const, ...counted };
      },
      "GET /responses/{id}": async (request, reply) => {
        const { query } = request;
        const { id } = request.params;
        const { actor } = request.caller;
        const response = await responseNow(queries, actor.accountId, id);
        // Checked here because an answer with its text hidden would look like the model's answer.
        await assertMayLook(context, actor, response.model);
        if (query.stream)
          return followResponse(context, request, reply, {
            id,
            startingAfter: query.starting_after ?? -1,
            permission: "predictions:read",
            shown: showsThoughts(query) ? (item) => item : withoutSealed,
          });
        return { ...response, output: shownItems(response.output, query) };
      },
      "GET /responses/{id}/receipt": async ({ caller: { actor }, params: { id } }, reply) => {
        const row = await findReceiptOf(queries, actor.accountId, id);
        const { response } = row;
        await assertMayLook(context, actor, response.model);
        return sendReceipt(context, reply, actor, {
          ...{ id, kind: "response", cost: response.svc_cost ?? null },
          ...{ model: response.model, operation: "chat-completions", region: response.svc_region },
          ...{ status: response.status, errorCode: response.error?.code ?? null, startedAt: null },
          createdAt: new Date(response.created_at * 1000),
          completedAt: response.completed_at === null ? null : new Date(response.completed_at * 1000),
          ...{ facts: row.receipt, hasEnded: response.status !== "queued" },
          deliveries: { once: [`${id} ended`, `${id} callback`] },
        });
      },
      "DELETE /responses/{id}": async ({ caller, params: { id } }) => {
        await deleteResponse(context.database, caller.actor.accountId, id);
        return { id, object: "response" as const, deleted: true as const };
      },
      "POST /responses/{id}/cancel": async ({ caller: { actor }, params }) => {
        const response = await cancelResponse(context, actor.accountId, params.id);
        const gated = (await Clearance.of(context, actor, [response.model])).missing(response.model);
        if (gated !== null) return hiddenResponse(response, gated);
        return { ...response, output: shownItems(response.output, {}) };
      },
      "GET /responses/{id}/input_items": async ({ caller: { actor }, params, query }) => {
        const { input, response } = await findResponse(queries, actor.accountId, params.id);
        await assertMayLook(context, actor, response.model);
        return pageOf(shownItems(input, query), query);
      },
    },
    {
      "POST /responses": {
        bodyLimit: bodyBytes,
        preValidation(request, _reply, done) {
          readMessage(request);
          done();
        },
      },
      "POST /responses/compact": { bodyLimit: bodyBytes },
      "POST /responses/input_tokens": { bodyLimit: bodyBytes },
    },
  );
}

/** A WebSocket at `GET /responses`. Its connections finish their work before the server closes. */
function installSockets(app: App, context: RunsContext): void {
  app.register(async (scope) => {
    const connections = new Set<Connection>();
    await scope.register(websocket, {
      // One message at a time per connection: thousands of small ones can arrive together.
      options: { maxPayload: bodyBytes, allowSynchronousEvents: false },
      preClose: (done) => void Promise.all([...connections].map((one) => one.finish())).then(() => done()),
    });
    // Node.js leaves the connection of a refused upgrade open.
    scope.addHook("onResponse", (request, _reply, done) => {
      if (isUpgrade(request.raw)) request.raw.socket.destroySoon();
      done();
    });
    serve(
      scope as App,
      context,
      socketRoutes,
      {
        "GET /responses": () => {
          throw new ApiError(
            "upgrade_required",
            "GET opens a WebSocket at this address. For a single response send POST /v1/responses.",
          );
        },
      },
      {
        "GET /responses": {
          wsHandler: (socket, request) => {
            const connection = new Connection(app, context, socket, request);
            connections.add(connection);
            const stopWaiting = context.drain.onBegin(() => {
              // A process that stops serves its connections until the server closes.
              if (context.drain.isPaused) void connection.finish();
            });
            socket.once("close", () => {
              connections.delete(connection);
              stopWaiting();
            });
          },
        },
      },
    );
  });
}

/**
 * Answers with a chat of the response's model: checks, limits, budgets, streams and replays are those of a
 * chat.
 */
async function createResponse(
  context: RunsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ResponseCreate,
): Promise<FastifyReply> {
  const { actor } = request.caller;
  const sent = metadataOf(body.metadata, request.headers[metadataHeader]);
  // A worker runs it later, without the short key of a workload.
  const metadata = body.background ? withWorkload(actor, sent) : sent;
  const wishes = readWishes(body.provider, request.headers[wishHeader]);
  const asked = { ...body, ...(metadata && { metadata }), ...(wishes && { provider: wishes }) };
  const turn = turnOf(request);
  const othersRun = yieldToEventLoop();
  const read = body.background
    ? await readBackground(context, actor, asked)
    : await readResponse(context, actor, asked, turn?.conversations);
  await othersRun();
  if (read.settings.store) await context.storageLimit.assertRoom(actor.accountId);
  return runOperation(context, request, reply, {
    ...chatCall(read),
    fingerprint: body,
    declinesContents: body.store === false,
    ...(body.background
      ? inBackground(context, request, reply, {
          ...{ body: asked, read },
          declinesContents: request.caller.declinesContents === true,
        })
      : { front: responseFront(context, actor, read, turn) }),
  }).catch((error: unknown) => {
    throw underNamesOf(responsePlaces, asSent(error, read.messagesAgain));
  });
}

/** Answers the response as a job, or its events as they come. */
function inBackground(
  context: RunsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: BackgroundRequest,
): Pick<OperationCall, "accept" | "send"> {
  const shows = asked.body.include?.includes(thoughtsIncluded);
  return {
    accept: (admitted, run, kept) => acceptResponse(context, admitted, run, { ...asked, ...kept }),
    ...(asked.body.stream && {
      send: ({ headers, body }) =>
        followResponse(context, request, reply.headers(headers), {
          id: (body as Response).id,
          startingAfter: -1,
          permission: "operations:run",
          shown: shows ? (item) => item : withoutSealed,
        }),
    }),
  };
}

function responseFront(
  context: RunsContext,
  actor: Actor,
  read: ResponseRequest,
  turn: Turn | undefined,
): ChatFront<FormattedResponse> {
  return {
    begin: (stamp, streams) => formatResponse(stamp, read, streams),
    async keep(answer, provider) {
      const response = answer.record();
      const { before, input } = read;
      if (response.store)
        await saveResponse(context, actor, { response, input: namedItems(input, response.id) }, provider);
      else turn?.conversations.keep(response.id, [...before, ...input, ...response.output]);
      if (turn) turn.isAnswered = true;
    },
  };
}

/**
 * Lets the model shorten a conversation: the answer is one sealed item, which replaces all earlier items in
 * the input of the next response. Nothing is stored.
 */
async function compactResponse(
  context: RunsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ResponseCompact,
): Promise<FastifyReply> {
  const { actor } = request.caller;
  const longest =
    body.max_output_tokens ?? (actor.hasMoneyLimit ? longestSummary(context, actor, body) : null);
  const asked = { ...body, max_output_tokens: longest, store: false };
  const read = await readResponse(context, actor, asked);
  const { chat, sealed, messagesAgain } = read;
  const messages = chat.messages as object[];
  return runOperation(context, request, reply, {
    apiType: "chat-completions",
    beginning: read.beginning,
    body: { ...chat, messages: [...messages, { role: "user", content: question }] },
    fingerprint: body,
    front: { begin: (stamp) => formatCompaction(stamp, sealed) },
  }).catch((error: unknown) => {
    throw underNamesOf(responsePlaces, asSent(error, messagesAgain));
  });
}

function longestSummary({ catalog }: RunsContext, { accountId }: Actor, { model }: ResponseCompact): number {
  const most = catalog.operation(model, "chat-completions", accountId)?.operation.limits.maxOutputTokens;
  return typeof most === "number" ? Math.min(most, compactionTokens) : compactionTokens;
}

/** Formats the compaction's answer as a body; compactions are never streamed. */
function formatCompaction({ id, created }: ChatStamp, sealed: SealedTexts): CompactionFormatter {
  let compaction: Compaction | null = null;
  return {
    head: () => "",
    chunk: () => "",
    end(completion) {
      const text = completion.choices[0]?.message.content ?? "";
      compaction = {
        id: responseIdOf(id),
        object: "response.compaction",
        created_at: created,
        output: [
          {
            id: `cmp_${ulidOf(id)}_0`,
            type: "compaction",
            encrypted_content: sealed.seal("compaction", text),
          },
        ],
        usage: usageOf(completion),
      };
      return "";
    },
    failure: () => "",
    body: () => compaction,
  };
}

/**
 * Accepts WebSocket upgrades only on this path: clients that offer another upgrade elsewhere, such as `h2c`,
 * get ordinary answers. Node.js before 24.9 cannot tell them apart, so WebSockets are off there.
 */
function acceptSockets(app: App): boolean {
  const server = app.server as Server & { shouldUpgradeCallback?: (request: IncomingMessage) => boolean };
  if (!server.shouldUpgradeCallback) return false;
  server.shouldUpgradeCallback = isUpgrade;
  return true;
}

function isUpgrade({ method, headers, url = "" }: IncomingMessage): boolean {
  const isWebSocket = method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
  return isWebSocket && /^(\/v1){1,2}\/responses(\?|$)/.test(url);
}

function shownItems(items: readonly Item[], query: ResponseQuery): Item[] {
  return showsThoughts(query) ? [...items] : items.map(withoutSealed);
}

/** Sealed thoughts are shown only on request. */
function showsThoughts({ include, "include[]": listed }: ResponseQuery): boolean {
  return [include ?? [], listed ?? []].flat().includes(thoughtsIncluded);
}

const usualPage = 20;

/** Newest first by default. Throws `invalid_cursor`. */
function pageOf(items: readonly Item[], { limit = usualPage, after, order = "desc" }: InputItemsQuery) {
  const sorted = order === "asc" ? [...items] : items.toReversed();
  const at = after === undefined ? -1 : sorted.findIndex(({ id }) => id === after);
  if (after !== undefined && at < 0)
    throw new ApiError("invalid_cursor", `There is no item ${after} in this response.`, { param: "after" });
  const data = sorted.slice(at + 1, at + 1 + limit);
  const idOf = (item: Item | undefined) => (typeof item?.id === "string" ? item.id : null);
  return {
    object: "list" as const,
    data,
    first_id: idOf(data[0]),
    last_id: idOf(data.at(-1)),
    has_more: at + 1 + limit < sorted.length,
  };
}
