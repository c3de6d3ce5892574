import type { RegionName } from "#contract/catalog.ts";
import {
  type AuditStreamHealth,
  type DeploymentHealth,
  type HealthQuery,
  type HealthReport,
  operatorHealthRoutes,
} from "#contract/operator/health.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { Mapping } from "#gateway/models/providers/configuration.ts";
import type { DeploymentName } from "#gateway/models/providers/health/pauses.ts";
import { type RecentTries, readTries } from "#gateway/models/providers/health/recent-tries.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { upstreamHealth } from "#gateway/platform/database/schema.ts";
import { describeServer } from "#gateway/platform/database/server-version.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { readAuditOutbox } from "#gateway/platform/outbox/audit-outbox.ts";
import type { Reading } from "../read-configuration.ts";

/** The health of the upstreams. */
export function installOperatorHealth(app: App, context: ModelsContext): void {
  serve(app, context, operatorHealthRoutes, {
    "GET /operator/health": (request) => healthReport(context, request.query),
  });
}

type HealthRow = typeof upstreamHealth.$inferSelect;

const defaultMinutes = 60;
const minuteMs = 60_000;

/** The recent attempts at each upstream that is mapped or was used in that time. Calls no upstream. */
async function healthReport(context: ModelsContext, query: HealthQuery): Promise<HealthReport> {
  const { queries } = context.database;
  const minutes = query.minutes ?? defaultMinutes;
  const since = clock.now() - minutes * minuteMs;
  await context.health.flush();
  const reading = context.configuration.current;
  const [sums, queues, seen, server, auditStream] = await Promise.all([
    readTries(context.database, since),
    readQueues(queries),
    queries.select().from(upstreamHealth),
    queries.execute<{ version: string }>(sql`select current_setting('server_version') as version`),
    auditStreamHealth(context),
  ]);
  const found = new Deployments(reading, sums, queues, seen);
  return {
    object: "list",
    data: found.all(since),
    minutes,
    since: new Date(since).toISOString(),
    quiet: context.config.quiet,
    contents_failing_since: context.contents.failingSince?.toISOString() ?? null,
    store_full_since: context.storeRoom.fullSince?.toISOString() ?? null,
    database_full_since: context.database.diskFullSince?.toISOString() ?? null,
    audit_stream: auditStream,
    database: describeServer(server.rows[0]?.version ?? "", context.config, clock.now()),
  };
}

async function auditStreamHealth({ database, config }: ModelsContext): Promise<AuditStreamHealth | null> {
  const stream = await readAuditOutbox(database);
  if (!stream) return null;
  const { waiting, lagSeconds, error, lastSentAt, dropped } = stream;
  return {
    waiting,
    lag_seconds: lagSeconds,
    late: lagSeconds * 1000 > config.auditStreamBehindMs,
    error,
    last_sent_at: lastSentAt?.toISOString() ?? null,
    dropped,
  };
}

/** Combines everything known about each deployment. */
class Deployments {
  private readonly reading: Reading;
  private readonly mappings: ReadonlyMap<string, Mapping[]>;
  private readonly sums: ReadonlyMap<string, RecentTries>;
  private readonly seen: ReadonlyMap<string, HealthRow>;
  private readonly queues: readonly QueueSum[];

  constructor(
    reading: Reading,
    sums: readonly RecentTries[],
    queues: readonly QueueSum[],
    seen: readonly HealthRow[],
  ) {
    this.reading = reading;
    this.queues = queues;
    this.mappings = Map.groupBy(reading.configuration.mappings, ({ providerName, modelId, region }) =>
      nameOf({ provider: providerName, model: modelId, region }),
    );
    this.sums = new Map(sums.map((sum) => [nameOf(sum), sum]));
    this.seen = new Map(seen.map((row) => [nameOf(row), row]));
  }

  all(since: number): DeploymentHealth[] {
    const recent = [...this.seen].filter(([, row]) => lastOf(row) >= since).map(([name]) => name);
    const names = new Set([...this.mappings.keys(), ...this.sums.keys(), ...recent]);
    return [...names].sort().map((name) => this.health(name, since));
  }

  private health(name: string, since: number): DeploymentHealth {
    const [provider = "", model = "", region] = name.split("\n");
    const where = { provider, model, region: region as RegionName };
    const sum = this.sums.get(name);
    const row = this.seen.get(name);
    return {
      object: "deployment_health",
      ...where,
      managed_by: this.managerOf(provider),
      api_types: [...new Set((this.mappings.get(name) ?? []).map(({ apiType }) => apiType))],
      breaker: breakerOf(row, sum?.errors ?? 0, since),
      runs: sum?.runs ?? 0,
      errors: sum?.errors ?? 0,
      error_rate: sum ? sum.errors / sum.runs : null,
      latency_ms: { p50: rounded(sum?.answerMs.p50), p95: rounded(sum?.answerMs.p95) },
      queued: this.countQueue(where, false),
      running: this.countQueue(where, true),
      last_success_at: row?.lastSuccessAt?.toISOString() ?? null,
      last_failure: row?.lastFailureAt
        ? {
            at: row.lastFailureAt.toISOString(),
            code: row.failureCode ?? "",
            message: row.failureMessage ?? "",
          }
        : null,
      rate_limit: row?.rateLimit ?? null,
    };
  }

  private managerOf(provider: string): DeploymentHealth["managed_by"] {
    if (Object.hasOwn(this.reading.file?.content.providers ?? {}, provider)) return "file";
    return this.reading.connections.some(({ row }) => row.name === provider) ? "console" : null;
  }

  /**
   * Predictions that have not started count for the provider that will be tried first: the one whose route
   * has the lowest priority number.
   */
  private countQueue({ provider, model, region }: DeploymentName, isRunning: boolean): number {
    return this.queues
      .filter((queue) => queue.isRunning === isRunning && queue.model === model && queue.region === region)
      .filter((queue) => (queue.provider ?? this.firstProvider(queue)) === provider)
      .reduce((sum, { count }) => sum + count, 0);
  }

  private firstProvider({ model, apiType, region }: QueueSum): string | undefined {
    return this.reading.configuration.mappings
      .filter((one) => one.modelId === model && one.apiType === apiType && one.region === region)
      .sort((one, other) => one.priority - other.priority)[0]?.providerName;
  }
}

/**
 * Unhealthy until `openUntil` passes or a call succeeds; then degraded until a call succeeds. Without an open
 * breaker, errors in the requested time make it `degraded`, also if another provider answered the last call.
 */
function breakerOf(row: HealthRow | undefined, errors: number, since: number): DeploymentHealth["breaker"] {
  const { openUntil = null, lastSuccessAt = null, lastFailureAt = null } = row ?? {};
  const worked = lastSuccessAt !== null && lastFailureAt !== null && lastSuccessAt > lastFailureAt;
  const isFailing = lastFailureAt !== null && !worked && lastFailureAt.getTime() >= since;
  if (openUntil === null || worked)
    return { status: errors > 0 || isFailing ? "degraded" : "healthy", open_until: null };
  return {
    status: openUntil.getTime() > clock.now() ? "unhealthy" : "degraded",
    open_until: openUntil.toISOString(),
  };
}

function lastOf({ lastSuccessAt, lastFailureAt }: HealthRow): number {
  return Math.max(lastSuccessAt?.getTime() ?? 0, lastFailureAt?.getTime() ?? 0);
}

function nameOf({ provider, model, region }: { provider: string; model: string; region: string }): string {
  return `${provider}\n${model}\n${region}`;
}

function rounded(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : Math.round(ms * 10) / 10;
}

/** Rows beyond this number are not counted. */
const maxRows = 50_000;

/** Predictions that have not ended. The provider of a prediction is known only after its start. */
interface QueueSum {
  provider: string | null;
  model: string;
  apiType: string;
  region: string;
  isRunning: boolean;
  count: number;
}

async function readQueues(queries: Queries): Promise<QueueSum[]> {
  const { rows } = await queries.execute<QueueSum & Record<string, unknown>>(sql`
    select provider, model, api_type as "apiType", svc_region as region, is_running as "isRunning", count(*)::int as count
    from (
      select case when status = 'processing' then provider end as provider, model, api_type, svc_region,
        status = 'processing' as is_running
      from predictions where status in ('starting', 'processing') limit ${maxRows}
    ) as waiting
    group by provider, model, api_type, svc_region, is_running`);
  return rows;
}
