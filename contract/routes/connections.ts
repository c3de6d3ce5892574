import {
  AuthorizationAsked,
  AuthorizationRequest,
  Connection,
  ConnectionList,
  ConnectionQuery,
  ConnectionUpdate,
  Consent,
  ConsentCreate,
} from "../connections.ts";
import { Deleted } from "../list.ts";
import type { Routes } from "./route.ts";

/**
 * The console's routes for a person. The routes for agents' clients are outside `/v1`
 * (`gateway/access/authorization/authorization.ts`).
 */
export const connectionRoutes = {
  "POST /authorization/requests": {
    summary: "Read an authorization request of a client",
    permission: "connections:own",
    extension: true,
    body: AuthorizationAsked,
    answers: { 200: AuthorizationRequest },
  },
  "POST /authorization/consents": {
    summary: "Grant an authorization request, within limits",
    permission: "connections:own",
    extension: true,
    body: ConsentCreate,
    answers: { 201: Consent },
  },
  "GET /connections": {
    summary: "List connections of agents",
    permission: "connections:own",
    extension: true,
    fromBrowser: true,
    query: ConnectionQuery,
    answers: { 200: ConnectionList },
  },
  "GET /connections/{id}": {
    summary: "Read a connection",
    permission: "connections:own",
    extension: true,
    answers: { 200: Connection },
  },
  "PATCH /connections/{id}": {
    summary: "Change the budget or the expiry of a connection",
    permission: "connections:own",
    extension: true,
    byClick: true,
    body: ConnectionUpdate,
    answers: { 200: Connection },
  },
  "DELETE /connections/{id}": {
    summary: "End a connection",
    permission: "connections:own",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
