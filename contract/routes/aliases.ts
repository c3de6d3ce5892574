import { Alias, AliasCreate, AliasList, AliasUpdate } from "../aliases.ts";
import { Deleted, NoQuery } from "../list.ts";
import type { Routes } from "./route.ts";

export const aliasRoutes = {
  "GET /aliases": {
    summary: "List aliases",
    permission: "aliases:read",
    extension: true,
    query: NoQuery,
    answers: { 200: AliasList },
  },
  "POST /aliases": {
    summary: "Create an alias for an ordered list of models",
    permission: "aliases:manage",
    extension: true,
    idempotent: true,
    byClick: true,
    body: AliasCreate,
    answers: { 201: Alias },
  },
  "PATCH /aliases/{id}": {
    summary: "Change an alias",
    permission: "aliases:manage",
    extension: true,
    byClick: true,
    body: AliasUpdate,
    answers: { 200: Alias },
  },
  "DELETE /aliases/{id}": {
    summary: "Delete an alias",
    permission: "aliases:manage",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
