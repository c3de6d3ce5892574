import { Message, MessageCreate, TokenCount, TokenCountCreate } from "../messages.ts";
import type { Routes } from "./route.ts";

/** Anthropic's Messages API on top of a model's chat. */
export const messageRoutes = {
  "POST /messages": {
    summary: "Create a message in Anthropic's shape",
    permission: "operations:run",
    extension: true,
    operation: "chat-completions",
    idempotent: true,
    errors: "anthropic",
    body: MessageCreate,
    answers: { 200: Message },
    otherAnswers: {
      200: {
        description: "The message; with `stream`, its events",
        content: {
          "application/json": { schema: Message },
          "text/event-stream": { schema: { type: "string" } },
        },
      },
    },
  },
  "POST /messages/count_tokens": {
    summary: "Count the tokens of a message",
    permission: "operations:run",
    asMuchAsOperation: true,
    extension: true,
    errors: "anthropic",
    body: TokenCountCreate,
    answers: { 200: TokenCount },
  },
} as const satisfies Routes;
