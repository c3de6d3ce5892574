import { SignedReceipt } from "../receipts.ts";
import {
  Compaction,
  InputItemList,
  InputItemsQuery,
  Response,
  ResponseCompact,
  ResponseCreate,
  ResponseDeleted,
  ResponseReadQuery,
  ResponseTokenCount,
} from "../responses.ts";
import { noBody } from "./answers.ts";
import type { Routes } from "./route.ts";

const responseOrEvents = {
  200: {
    description: "The response; with `stream`, its events",
    content: {
      "application/json": { schema: Response },
      "text/event-stream": { schema: { type: "string" } },
    },
  },
};

/** OpenAI's Responses API on top of a model's chat. */
export const responseRoutes = {
  "POST /responses": {
    summary: "Create a response",
    permission: "operations:run",
    extension: true,
    operation: "chat-completions",
    idempotent: true,
    body: ResponseCreate,
    answers: { 200: Response },
    otherAnswers: responseOrEvents,
  },
  "POST /responses/compact": {
    summary: "Shorten a conversation",
    permission: "operations:run",
    extension: true,
    operation: "chat-completions",
    idempotent: true,
    body: ResponseCompact,
    answers: { 200: Compaction },
  },
  "POST /responses/input_tokens": {
    summary: "Count the tokens of a response's input",
    asMuchAsOperation: true,
    permission: "operations:run",
    extension: true,
    body: ResponseCreate,
    answers: { 200: ResponseTokenCount },
  },
  "GET /responses/{id}": {
    summary: "Read a stored response",
    permission: "predictions:read",
    extension: true,
    query: ResponseReadQuery,
    answers: { 200: Response },
    otherAnswers: responseOrEvents,
  },
  "GET /responses/{id}/receipt": {
    summary: "Read the signed receipt of a stored response",
    permission: "predictions:read",
    extension: true,
    answers: { 200: SignedReceipt },
  },
  "DELETE /responses/{id}": {
    summary: "Delete a stored response",
    permission: "predictions:cancel",
    extension: true,
    answers: { 200: ResponseDeleted },
  },
  "POST /responses/{id}/cancel": {
    summary: "Cancel a background response",
    permission: "predictions:cancel",
    extension: true,
    answers: { 200: Response },
  },
  "GET /responses/{id}/input_items": {
    summary: "List the input of a stored response",
    permission: "predictions:read",
    extension: true,
    query: InputItemsQuery,
    answers: { 200: InputItemList },
  },
} as const satisfies Routes;

/** Each message from the client is a `response.create`, each message from the gateway an event. */
export const socketRoutes = {
  "GET /responses": {
    summary: "Create responses over a WebSocket",
    permission: "operations:run",
    extension: true,
    stream: true,
    otherAnswers: { 101: noBody("The connection is a WebSocket") },
  },
} as const satisfies Routes;
