import {
  InputItemList,
  InputItemsQuery,
  Response,
  ResponseCreate,
  ResponseDeleted,
  ResponseQuery,
} from "../responses.ts";
import type { Routes } from "./route.ts";

/** OpenAI's Responses, made of a model's chat. */
export const responseRoutes = {
  "POST /responses": {
    summary: "Create a response",
    permission: "operations:run",
    extension: true,
    operation: "chat-completions",
    idempotent: true,
    body: ResponseCreate,
    answers: { 200: Response },
    otherAnswers: {
      200: {
        description: "The response; its events with `stream`",
        content: {
          "application/json": { schema: Response },
          "text/event-stream": { schema: { type: "string" } },
        },
      },
    },
  },
  "GET /responses/{id}": {
    summary: "Read a stored response",
    permission: "predictions:read",
    extension: true,
    query: ResponseQuery,
    answers: { 200: Response },
  },
  "DELETE /responses/{id}": {
    summary: "Delete a stored response",
    permission: "predictions:cancel",
    extension: true,
    answers: { 200: ResponseDeleted },
  },
  "POST /responses/{id}/cancel": {
    summary: "Cancel a response in the background",
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
