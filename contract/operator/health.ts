import { type Static, Type } from "typebox";
import { apiTypes, regionNames } from "../catalog-constants.ts";
import { closed, Nullable, Timestamp } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { managers } from "./routes.ts";

export const HealthQuery = Type.Object(
  {
    minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, description: "the latest 60 runs" })),
  },
  closed,
);
export type HealthQuery = Static<typeof HealthQuery>;

export const breakerStatuses = ["healthy", "degraded", "unhealthy"] as const;

/** A rate limit in the upstream's latest headers. Null for values that they did not contain. */
export const UpstreamRateLimit = Type.Object({
  at: Timestamp,
  limit_requests: Nullable(Type.Number()),
  remaining_requests: Nullable(Type.Number()),
  reset_requests: Nullable(Type.String({ description: "the upstream's text: `6m0s`, `12`, a date" })),
  limit_tokens: Nullable(Type.Number()),
  remaining_tokens: Nullable(Type.Number()),
  reset_tokens: Nullable(Type.String()),
});
export type UpstreamRateLimit = Static<typeof UpstreamRateLimit>;

export const UpstreamFailure = Type.Object({
  at: Timestamp,
  code: Type.String({ description: "this gateway's error code" }),
  message: Type.String({ description: "the upstream's message, without keys" }),
});
export type UpstreamFailure = Static<typeof UpstreamFailure>;

/**
 * The health of one model at one provider in one region. It comes from real traffic only, never from probes.
 */
export const DeploymentHealth = Type.Object({
  object: Type.Literal("deployment_health"),
  provider: Type.String(),
  managed_by: Nullable(
    Type.Enum(managers, { description: "id of the provider; null: the provider was removed" }),
  ),
  model: Type.String(),
  region: Type.Enum(regionNames),
  api_types: Type.Array(Type.Enum(apiTypes), {
    description: "operations routed to this model now; none: the row is only history",
  }),
  breaker: Type.Object({
    status: Type.Enum(breakerStatuses, {
      description: "`degraded` instead of `healthy` when the requested time range contains errors",
    }),
    open_until: Nullable(Timestamp),
  }),
  runs: Type.Integer({
    description: "tries in the requested time range, including those after which another upstream answered",
  }),
  errors: Type.Integer({ description: "tries that failed because of the upstream" }),
  error_rate: Nullable(Type.Number({ description: "share of failed tries, 0 to 1; null without tries" })),
  latency_ms: Type.Object({
    p50: Nullable(Type.Number()),
    p95: Nullable(Type.Number()),
  }),
  queued: Type.Integer({ description: "predictions for this model that have not started" }),
  running: Type.Integer({ description: "predictions of this model that are running" }),
  last_success_at: Nullable(Timestamp),
  last_failure: Nullable(UpstreamFailure),
  rate_limit: Nullable(UpstreamRateLimit),
});
export type DeploymentHealth = Static<typeof DeploymentHealth>;

export const databaseKinds = ["bundled", "installed", "own"] as const;
const Day = Type.String({ format: "date" });
const ReleaseDay = Type.String({
  format: "date",
  description: "null: this release of Gatehouse does not know it",
});

/** Which PostgreSQL runs, and how old it is. */
export const DatabaseServer = Type.Object({
  version: Type.String({ description: "such as `18.4`" }),
  kind: Type.Enum(databaseKinds, {
    description:
      "`bundled`, `installed`: the embedded database, with the bundled programs or with newer ones of this machine; `own`: the server of DATABASE_URL",
  }),
  released_on: Nullable(ReleaseDay),
  newer_on: Type.Array(Day, {
    description: "days of newer minor releases of the same major version, known or planned by PostgreSQL",
  }),
});
export type DatabaseServer = Static<typeof DatabaseServer>;

/** How far the audit log has left the installation. */
export const AuditStreamHealth = Type.Object({
  waiting: Type.Integer({ description: "events that have not left, up to about 100,000" }),
  lag_seconds: Type.Number({ description: "how long the oldest of them has waited" }),
  late: Type.Boolean({ description: "longer than AUDIT_STREAM_BEHIND_MS" }),
  error: Nullable(Type.String({ description: "why the last attempt failed; null if it succeeded" })),
  last_sent_at: Nullable(Timestamp),
  dropped: Type.Integer({ description: "events that could not leave for AUDIT_STREAM_KEEP_DAYS" }),
});
export type AuditStreamHealth = Static<typeof AuditStreamHealth>;

export const HealthReport = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(DeploymentHealth),
  minutes: Type.Integer(),
  since: Timestamp,
  quiet: Type.Boolean({ description: "`true`: GATEHOUSE_QUIET is on, so no upstream is called" }),
  /** The time since when files cannot be stored because the object store or the disk is full. */
  store_full_since: Nullable(Timestamp),
  /** The time since when this process drops contents of calls, because they cannot be written in time. */
  contents_failing_since: Type.Optional(Nullable(Timestamp)),
  /** The time since when nothing can be saved because the database's disk is full. */
  database_full_since: Nullable(Timestamp),
  /** Null while the audit log is not streamed. */
  audit_stream: Type.Optional(Nullable(AuditStreamHealth)),
  database: DatabaseServer,
});
export type HealthReport = Static<typeof HealthReport>;

export const operatorHealthRoutes = {
  "GET /operator/health": {
    summary: "Read the health of the upstreams over the last minutes",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: HealthQuery,
    answers: { 200: HealthReport },
  },
} as const satisfies Routes;
