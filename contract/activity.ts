import { type Static, Type } from "typebox";
import { errorCodes } from "./error.ts";
import { closed, Nullable, Timestamp } from "./list.ts";
import type { Routes } from "./routes/route.ts";

export const activitySteps = ["minute", "hour", "day"] as const;

export const activitySubjects = ["runs", "requests", "tries", "deliveries"] as const;
export type ActivitySubject = (typeof activitySubjects)[number];

export const activityGroups = ["model", "key", "member", "provider", "region", "status", "code"] as const;
export type ActivityGroup = (typeof activityGroups)[number];

/** A request for more steps than this is refused. */
export const maxActivitySteps = 1_500;

/** The number of groups: those with the most runs. All others are added up in `otherGroups`. */
export const maxActivityGroups = 20;

export const otherGroups = "*";

const subject = Type.Enum([...activitySubjects], {
  description:
    "`runs` (default): executions of operations, whether answered at once, in the background, as predictions or as rows of batches. `requests`: calls of the API, without reads by the console. `tries`: each try at an upstream. `deliveries`: attempts to send a webhook.",
});

const common = {
  from: Type.Optional(
    Type.String({
      format: "date-time",
      description: "start of the time range; by default 60 minutes, 24 hours or 30 days before `to`",
    }),
  ),
  to: Type.Optional(
    Type.String({ format: "date-time", description: "end of the time range, not included; now by default" }),
  ),
  step: Type.Optional(
    Type.Enum([...activitySteps], {
      description: "length of a step (UTC); `hour` by default. At most 1,500 steps",
    }),
  ),
  of: Type.Optional(subject),
  model: Type.Optional(Type.String()),
  provider: Type.Optional(Type.String()),
  route: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "a part of the route's path" }),
  ),
  status_class: Type.Optional(Type.Enum(["2xx", "3xx", "4xx", "5xx"])),
  code: Type.Optional(Type.Enum(errorCodes)),
} as const;

export const ActivityQuery = Type.Object(
  {
    ...common,
    group_by: Type.Optional(
      Type.Enum([...activityGroups], {
        description: "grouped by `provider`, `runs` counts the tries at each provider",
      }),
    ),
    key_id: Type.Optional(Type.String()),
    user_id: Type.Optional(Type.String()),
  },
  closed,
);
export type ActivityQuery = Static<typeof ActivityQuery>;

export const OperatorActivityQuery = Type.Object(
  {
    ...common,
    group_by: Type.Optional(Type.Enum(["model", "provider", "region", "status", "code"])),
  },
  closed,
);
export type OperatorActivityQuery = Static<typeof OperatorActivityQuery>;

const Percentiles = Type.Object(
  { p50: Nullable(Type.Number()), p95: Nullable(Type.Number()), p99: Nullable(Type.Number()) },
  { description: "milliseconds, accurate to 5 %; null when nothing was measured" },
);
export type Percentiles = Static<typeof Percentiles>;

const CodeCounts = Type.Array(Type.Object({ code: Type.String(), count: Type.Integer() }), {
  description: "the most frequent code first",
});

const figures = {
  runs: Type.Integer(),
  refused: Type.Integer({
    description:
      "only with `of=runs`: requests that were refused because of the request itself, so that nothing ran; `runs` and `errors` do not include them",
  }),
  refused_by_code: CodeCounts,
  errors: Type.Integer({
    description: "runs with a status of 400 or more, except 499 (the client left)",
  }),
  errors_by_code: CodeCounts,
  bytes_in: Type.Integer(),
  bytes_out: Type.Integer(),
  tokens_in: Type.Integer(),
  tokens_out: Type.Integer(),
  tokens_cached: Nullable(
    Type.Integer({
      description: "the part of `tokens_in` from the providers' caches; null: not counted by then",
    }),
  ),
  tokens_per_second: Nullable(
    Type.Number({
      description: "output tokens per second while the answer streamed; null without output tokens",
    }),
  ),
  latency_ms: Percentiles,
  first_token_ms: Percentiles,
  queue_ms: Percentiles,
} as const;

const group = Nullable(
  Type.String({
    description:
      "value of the group; null without `group_by`, or for runs without such a value; `*`: all other groups together",
  }),
);

export const ActivityRow = Type.Object({ at: Timestamp, group, ...figures });
export type ActivityRow = Static<typeof ActivityRow>;

export const ActivitySum = Type.Object({ group, ...figures });
export type ActivitySum = Static<typeof ActivitySum>;

export const ActivityList = Type.Object({
  object: Type.Literal("list"),
  of: Type.Enum([...activitySubjects]),
  step: Type.Enum([...activitySteps]),
  from: Timestamp,
  to: Timestamp,
  data: Type.Array(ActivityRow, {
    description: "sorted by time and group; a step without runs is left out",
  }),
  groups: Type.Array(ActivitySum, {
    description: "sums over the whole time range, the group with the most runs and refused requests first",
  }),
  total: ActivitySum,
  /** Time of the oldest stored figures with this step. Null: figures are never removed. */
  kept_from: Nullable(Timestamp),
  /** Time of the oldest stored row of the request log. Null: rows are never removed. */
  rows_kept_from: Nullable(Timestamp),
});
export type ActivityList = Static<typeof ActivityList>;

export const activityRoutes = {
  "GET /activity": {
    summary: "Read figures over time",
    permission: "requests:read",
    extension: true,
    fromBrowser: true,
    query: ActivityQuery,
    answers: { 200: ActivityList },
  },
} as const satisfies Routes;

export const operatorActivityRoutes = {
  "GET /operator/activity": {
    summary: "Read figures over time of all accounts together",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: OperatorActivityQuery,
    answers: { 200: ActivityList },
  },
} as const satisfies Routes;
