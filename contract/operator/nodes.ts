import { type Static, Type } from "typebox";
import { Person } from "../accounts/people.ts";
import { closed, Deleted, NoQuery, Nullable, Timestamp } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { nodeFields } from "./constants.ts";

/** By the command line if `by` is null. */
const Drained = Nullable(
  Type.Object({ since: Timestamp, reason: Nullable(Type.String()), by: Nullable(Person) }),
);

/** A machine that runs processes of this installation, named after its host. */
export const OperatorNode = Type.Object({
  id: Type.String(),
  object: Type.Literal("operator.node"),
  drained: Drained,
  processes: Type.Array(
    Type.Object({
      id: Type.String({ description: "`<host>:<process id>`" }),
      drained: Drained,
      running: Nullable(
        Type.Integer({
          description: "requests, jobs and deliveries that a drained process has in hand; null: not drained",
        }),
      ),
    }),
  ),
});
export type OperatorNode = Static<typeof OperatorNode>;

export const OperatorNodeList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(OperatorNode),
});
export type OperatorNodeList = Static<typeof OperatorNodeList>;

export const NodeDrain = Type.Object({ reason: Type.Optional(Type.String(nodeFields.reason)) }, closed);
export type NodeDrain = Static<typeof NodeDrain>;

export const operatorNodeRoutes = {
  "GET /operator/nodes": {
    summary: "List the nodes of the installation with their processes",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: OperatorNodeList },
  },
  "POST /operator/nodes/{id}/drain": {
    summary: "Drain a node or a process: it takes no new work, and finishes what it has",
    operator: true,
    extension: true,
    byClick: true,
    body: NodeDrain,
    answers: { 200: OperatorNodeList },
  },
  "DELETE /operator/nodes/{id}/drain": {
    summary: "Let a drained node or process take work again",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
