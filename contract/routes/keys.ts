import {
  ApiKey,
  ApiKeyCreate,
  ApiKeyList,
  ApiKeyRotate,
  ApiKeyUpdate,
  ApiKeyWithSecret,
  KeyQuery,
} from "../accounts/keys.ts";
import { Deleted } from "../list.ts";
import type { Routes } from "./route.ts";

export const keyRoutes = {
  "GET /keys": {
    summary: "List account keys",
    permission: "keys:own",
    extension: true,
    fromBrowser: true,
    query: KeyQuery,
    answers: { 200: ApiKeyList },
  },
  "POST /keys": {
    summary: "Create an account key; only this answer contains the key",
    permission: "keys:own",
    extension: true,
    idempotent: true,
    location: "/v1/keys/{id}",
    body: ApiKeyCreate,
    answers: { 201: ApiKeyWithSecret },
    replayed: ApiKey,
  },
  "POST /keys/{id}/rotate": {
    summary: "Rotate an account key",
    permission: "keys:own",
    extension: true,
    body: ApiKeyRotate,
    answers: { 200: ApiKeyWithSecret },
  },
  "PATCH /keys/{id}": {
    summary: "Change the budget or the origins of an account key",
    permission: "keys:manage",
    extension: true,
    byClick: true,
    body: ApiKeyUpdate,
    answers: { 200: ApiKey },
  },
  "DELETE /keys/{id}": {
    summary: "Revoke an account key",
    permission: "keys:own",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
