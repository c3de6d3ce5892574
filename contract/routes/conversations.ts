import {
  Conversation,
  ConversationCreate,
  ConversationList,
  ConversationQuery,
  ConversationUpdate,
} from "../conversations.ts";
import { Deleted } from "../list.ts";
import type { Routes } from "./route.ts";

export const conversationRoutes = {
  "GET /conversations": {
    summary: "List saved conversations, without their messages",
    permission: "conversations:read",
    extension: true,
    fromBrowser: true,
    query: ConversationQuery,
    answers: { 200: ConversationList },
  },
  "POST /conversations": {
    summary: "Save a conversation for the account",
    permission: "conversations:write",
    extension: true,
    fromBrowser: true,
    idempotent: true,
    location: "{url}/v1/conversations/{id}",
    body: ConversationCreate,
    answers: { 201: Conversation },
  },
  "GET /conversations/{id}": {
    summary: "Read a saved conversation",
    permission: "conversations:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: Conversation },
  },
  "PATCH /conversations/{id}": {
    summary: "Rename a saved conversation, or replace its contents",
    permission: "conversations:write",
    extension: true,
    fromBrowser: true,
    body: ConversationUpdate,
    answers: { 200: Conversation },
  },
  "DELETE /conversations/{id}": {
    summary: "Delete a saved conversation",
    permission: "conversations:write",
    extension: true,
    fromBrowser: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
