import { type Static, Type } from "typebox";
import { errorCodes } from "./error.ts";
import { closed } from "./list.ts";
import { Nullable, Timestamp } from "./nullable.ts";

export const activitySteps = ["minute", "hour", "day"] as const;

export const activitySubjects = ["runs", "requests", "tries", "deliveries"] as const;
export type ActivitySubject = (typeof activitySubjects)[number];
export const activityGroups = ["model", "key", "member", "provider", "region", "status", "code"] as const;
export type ActivityGroup = (typeof activityGroups)[number];
/** Requests for more steps are refused. */
export const maxActivitySteps = 1_500;
/** The number of groups, those with the most runs; the rest are summed under `otherGroups`. */
export const maxActivityGroups = 20;
export const otherGroups = "*";

const subject = Type.Enum([...activitySubjects], {
  description:
    "`runs` (default): operations that were answered or refused, predictions, rows of batches, responses in the background. `requests`: calls of the API, without what the console reads. `tries`: each try at an upstream. `deliveries`: attempts of webhooks.",
});

const common = {
  from: Type.Optional(
    Type.String({
      format: "date-time",
      description: "by default 60 minutes, 24 hours or 30 days before `to`",
    }),
  ),
  to: Type.Optional(Type.String({ format: "date-time", description: "not included; now by default" })),
  step: Type.Optional(
    Type.Enum([...activitySteps], { description: "of UTC; `hour` by default. At most 1,500 steps" }),
  ),
  of: Type.Optional(subject),
  model: Type.Optional(Type.String()),
  provider: Type.Optional(Type.String()),
  route: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "part of the route" })),
  status_class: Type.Optional(Type.Enum(["2xx", "3xx", "4xx", "5xx"])),
  code: Type.Optional(Type.Enum(errorCodes)),
} as const;

export const ActivityQuery = Type.Object(
  {
    ...common,
    group_by: Type.Optional(
      Type.Enum([...activityGroups], { description: "by `provider`, `runs` are the tries at each" }),
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
  { description: "milliseconds, within 5 %; null where nothing was measured" },
);
export type Percentiles = Static<typeof Percentiles>;

const figures = {
  runs: Type.Integer(),
  errors: Type.Integer({
    description: "those with a status of 400 or more, but for 499: a client that left",
  }),
  errors_by_code: Type.Array(Type.Object({ code: Type.String(), count: Type.Integer() }), {
    description: "the most frequent first",
  }),
  bytes_in: Type.Integer(),
  bytes_out: Type.Integer(),
  tokens_in: Type.Integer(),
  tokens_out: Type.Integer(),
  tokens_per_second: Nullable(
    Type.Number({ description: "output tokens, while they were coming; null where none were" }),
  ),
  latency_ms: Percentiles,
  first_token_ms: Percentiles,
  queue_ms: Percentiles,
} as const;

const group = Nullable(
  Type.String({ description: "null without `group_by`, or where there was none; `*`: all others together" }),
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
    description: "by time and group; steps in which nothing happened are absent",
  }),
  groups: Type.Array(ActivitySum, { description: "of the whole time, the most runs first" }),
  total: ActivitySum,
  /** The oldest figures with this step; null: all are kept. */
  kept_from: Nullable(Timestamp),
  /** The oldest rows of the request log; null: all are kept. */
  rows_kept_from: Nullable(Timestamp),
});
export type ActivityList = Static<typeof ActivityList>;
