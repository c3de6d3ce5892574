import { type Static, Type } from "typebox";
import { apiTypes, regionNames } from "../catalog-constants.ts";
import { closed } from "../list.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { managers } from "./routes.ts";

export const HealthQuery = Type.Object(
  {
    minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, description: "the last so many (60)" })),
  },
  closed,
);
export type HealthQuery = Static<typeof HealthQuery>;

export const breakerStatuses = ["healthy", "degraded", "unhealthy"] as const;

/** A rate limit from the upstream's last headers; null where they had no value. */
export const UpstreamRateLimit = Type.Object({
  at: Timestamp,
  limit_requests: Nullable(Type.Number()),
  remaining_requests: Nullable(Type.Number()),
  reset_requests: Nullable(Type.String({ description: "as the upstream wrote it: `6m0s`, `12`, a date" })),
  limit_tokens: Nullable(Type.Number()),
  remaining_tokens: Nullable(Type.Number()),
  reset_tokens: Nullable(Type.String()),
});
export type UpstreamRateLimit = Static<typeof UpstreamRateLimit>;

export const UpstreamFailure = Type.Object({
  at: Timestamp,
  code: Type.String({ description: "one of the error codes" }),
  message: Type.String({ description: "the upstream's own words, without keys" }),
});
export type UpstreamFailure = Static<typeof UpstreamFailure>;

/** One model at one provider in one region, from real traffic only, never from probes. */
export const DeploymentHealth = Type.Object({
  object: Type.Literal("deployment_health"),
  provider: Type.String(),
  managed_by: Nullable(Type.Enum(managers, { description: "null: the provider was removed" })),
  model: Type.String(),
  region: Type.Enum(regionNames),
  api_types: Type.Array(Type.Enum(apiTypes), {
    description: "that are mapped to it now; none: only history",
  }),
  breaker: Type.Object({
    status: Type.Enum(breakerStatuses, {
      description: "never `healthy` beside errors in the time asked for: then `degraded`",
    }),
    open_until: Nullable(Timestamp),
  }),
  runs: Type.Integer({
    description: "tries there in the time asked for, also those after which another upstream answered",
  }),
  errors: Type.Integer({ description: "of these, those that failed by the upstream's fault" }),
  error_rate: Nullable(Type.Number({ description: "0 to 1; null without runs" })),
  latency_ms: Type.Object({
    p50: Nullable(Type.Number()),
    p95: Nullable(Type.Number()),
  }),
  queued: Type.Integer({ description: "predictions for it that have not started" }),
  running: Type.Integer({ description: "predictions that are running there" }),
  last_success_at: Nullable(Timestamp),
  last_failure: Nullable(UpstreamFailure),
  rate_limit: Nullable(UpstreamRateLimit),
});
export type DeploymentHealth = Static<typeof DeploymentHealth>;

export const HealthReport = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(DeploymentHealth),
  minutes: Type.Integer(),
  since: Timestamp,
  /** Since when files cannot be stored, because the object store or the disk is full. */
  store_full_since: Nullable(Timestamp),
  /** Since when nothing can be saved, because the disk of the database is full. */
  database_full_since: Nullable(Timestamp),
});
export type HealthReport = Static<typeof HealthReport>;
