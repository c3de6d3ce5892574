import { type Static, Type } from "typebox";
import { closed, Nullable } from "./list.ts";
import type { Routes } from "./routes/route.ts";

/** The groups of the load of all accounts. An account sees its own by all but the first. */
export const operatorLoadGroups = ["account", "key", "model", "provider", "route", "region"] as const;
export type OperatorLoadGroup = (typeof operatorLoadGroups)[number];
export const loadGroups = ["key", "model", "provider", "route", "region"] as const;

/** The groups of an answer: those with the most load. All others are added up in `otherLoadGroups`. */
export const maxLoadGroups = 50;
export const otherLoadGroups = "*";

const minutes = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 15, default: 5, description: "how far back it looks" }),
);

export const LoadQuery = Type.Object(
  { minutes, by: Type.Optional(Type.Enum([...loadGroups], { default: "key" })) },
  closed,
);
export type LoadQuery = Static<typeof LoadQuery>;

export const OperatorLoadQuery = Type.Object(
  {
    minutes,
    by: Type.Optional(Type.Enum([...operatorLoadGroups], { default: "account" })),
    account_id: Type.Optional(Type.String({ description: "only the load of this account" })),
  },
  closed,
);
export type OperatorLoadQuery = Static<typeof OperatorLoadQuery>;

const amounts = {
  requests: Type.Integer({
    description: "requests, runs that nobody waits for, and webhook attempts that ended",
  }),
  bytes_in: Type.Integer(),
  bytes_out: Type.Integer(),
  processor_ms: Type.Number({
    description:
      "an estimate: every five seconds each process divides the processor time that it used among what it handled, one part for each request and one more for each 64 kB",
  }),
  running: Type.Integer({ description: "operations that hold a place now, and predictions at a provider" }),
  waiting: Type.Integer({ description: "predictions that have not started, and queued rows of batches" }),
} as const;

export const LoadRow = Type.Object({
  group: Nullable(
    Type.String({ description: "null: what has no such value, e.g. no key; `*`: all other groups together" }),
  ),
  name: Nullable(Type.String({ description: "of an account, a key or a member" })),
  account_id: Nullable(Type.String({ description: "of the account or the key" })),
  account_name: Nullable(Type.String()),
  ...amounts,
  deliveries: Nullable(
    Type.Integer({
      description: "webhook deliveries that are due or under way; null: not counted by this group",
    }),
  ),
});
export type LoadRow = Static<typeof LoadRow>;

/** The group with the most processor time first. */
export const LoadList = Type.Object({
  object: Type.Literal("list"),
  minutes: Type.Integer(),
  by: Type.Enum([...operatorLoadGroups]),
  data: Type.Array(LoadRow),
  total: Type.Object({ ...amounts, deliveries: Type.Integer() }),
});
export type LoadList = Static<typeof LoadList>;

export const loadRoutes = {
  "GET /account/load": {
    summary: "Read what loads the gateway for this account now",
    permission: "requests:read",
    extension: true,
    fromBrowser: true,
    query: LoadQuery,
    answers: { 200: LoadList },
  },
} as const satisfies Routes;

export const operatorLoadRoutes = {
  "GET /operator/load": {
    summary: "Read who loads the system now",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: OperatorLoadQuery,
    answers: { 200: LoadList },
  },
} as const satisfies Routes;
