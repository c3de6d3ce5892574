import { timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import type { Counter, Gauge } from "prom-client";
import type { PlatformContext } from "#gateway/platform/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { type Count, counters, serverErrors } from "#gateway/platform/core/counters.ts";
import { folderHeader, nameOfFolder } from "#gateway/platform/core/data-folder.ts";
import { readLags, type Sweep } from "#gateway/platform/core/sweeps.ts";
import { readAuditOutbox } from "#gateway/platform/outbox/audit-outbox.ts";
import { isSupervised, shareMetrics } from "#gateway/platform/processes/supervised.ts";
import type { App } from "./app.ts";
import { databaseRetrySeconds } from "./errors.ts";
import { whenAnswered } from "./when-closed.ts";

/**
 * Load balancers that called `/readyz` within this time must learn that the process stops, so that they send
 * it no more requests.
 */
const proberMs = 30_000;

const noticeTimes = 3;

/** Load balancers get this part of the drain time to notice that the process stops. */
const noticePart = 1 / 3;

interface MonitoredContext extends PlatformContext {
  storeRoom: { fullSince: Date | null };
}

/**
 * `/healthz`: the process answers. `/readyz`: its start is over, nobody drained it, it accepts requests, and its database accepts writes; `store`
 * reports a lack of room for files.
 */
export function healthRoutes(app: App, context: MonitoredContext): void {
  const probers = new Probers(Math.ceil(noticeTimes / context.config.processes));
  const config = { public: true, healthCheck: true };
  const folder = context.config.databaseUrl === null ? nameOfFolder(context.config) : null;
  let isStarted = false;
  app.decorate("joinLoadBalancers", () => {
    isStarted = true;
  });
  app.decorate("leaveLoadBalancers", async () => {
    if (isStarted) await probers.haveNoticed(context.config.drainMs * noticePart);
  });
  app.get("/healthz", { config }, async () => ({ status: "ok" }));
  app.get("/readyz", { config }, async (request, reply) => {
    probers.asked(request.socket.remoteAddress ?? "", context.drain.isBegun);
    if (folder !== null) reply.header(folderHeader, folder);
    if (context.drain.isBegun) return notReady(reply).send({ status: "stopping" });
    if (!isStarted) return notReady(reply).send({ status: "starting" });
    if (context.drain.isPaused)
      return notReady(reply).send({ status: "drained", running: context.drain.running() });
    const { database } = context;
    if (!(await database.isReady()))
      return notReady(reply).send({
        status: database.diskFullSince ? "database disk full" : "database unavailable",
      });
    // The process stays ready when the store is full: operations that return text still work, and the other
    // processes use the same store.
    return reply.send({ status: "ok", ...(context.storeRoom.fullSince && { store: "full" }) });
  });
}

function notReady(reply: FastifyReply): FastifyReply {
  return reply.code(503).header("retry-after", String(databaseRetrySeconds));
}

/** The clients of `/readyz`: until they know that this process is stopping, its port must stay open. */
class Probers {
  private readonly known = new Map<string, { askedAt: number; told: number }>();
  private readonly noticeTimes: number;

  constructor(noticeTimes: number) {
    this.noticeTimes = noticeTimes;
  }

  asked(address: string, isLeaving: boolean): void {
    const told = isLeaving ? (this.known.get(address)?.told ?? 0) + 1 : 0;
    this.known.set(address, { askedAt: performance.now(), told });
  }

  /** Resolves once all of these clients have seen that `/readyz` says no, or after `limitMs`. */
  async haveNoticed(limitMs: number): Promise<void> {
    const now = performance.now();
    for (const [address, { askedAt }] of this.known) if (now - askedAt > proberMs) this.known.delete(address);
    const isOneLeft = () => [...this.known.values()].some(({ told }) => told < this.noticeTimes);
    while (performance.now() - now < limitMs && isOneLeft()) await sleep(50);
  }
}

declare module "fastify" {
  interface FastifyInstance {
    /** From now on `/readyz` says yes if the database does: the start is over. */
    joinLoadBalancers(): void;
    /** Keeps the port open until load balancers have noticed that `/readyz` says no. */
    leaveLoadBalancers(): Promise<void>;
  }
}

interface MeasuredContext extends MonitoredContext {
  providers: { openBreakers(): Map<string, number> };
  /** The sweeps of all districts. */
  sweeps: readonly Sweep[];
}

const secondsBuckets = [0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/**
 * `/metrics` in Prometheus' text format, with METRICS_TOKEN as its bearer; without that setting the route
 * does not exist. Process counters are summed over the processes that share this port; values of the database
 * are read once.
 */
export async function installMetrics(app: App, context: MeasuredContext): Promise<void> {
  const token = context.config.metricsToken;
  if (!token) return;
  const prom = await import("prom-client");
  const { collectDefaultMetrics, Histogram, Registry } = prom;
  const counted = new Registry();
  const stored = new Registry();
  const readCounted = isSupervised ? shareMetrics(counted) : () => counted.metrics();
  collectDefaultMetrics({ register: counted });
  for (const count of Object.values(counters)) counted.registerMetric(counterOf(prom, count));
  const requests = new Histogram({
    name: "gatehouse_request_seconds",
    help: "Requests by route and status",
    labelNames: ["method", "route", "status"],
    buckets: secondsBuckets,
    registers: [counted],
  });
  const waiting = gaugeOf(prom, context, {
    name: "gatehouse_waiting",
    help: "Predictions and background responses that have not ended, deliveries and copies that are due, batch rows that have not started, messages that were tried and not sent, audit events that have not left",
    read: () => countWaiting(context),
  });
  const lags = gaugeOf(prom, context, {
    name: "gatehouse_retention_lag_seconds",
    help: "For how long the oldest expired data has been waiting to be removed",
    read: () => readLags(context, context.sweeps),
  });
  const full = gaugeOf(prom, context, {
    name: "gatehouse_full",
    help: "1 while the object store, or the disk of the database, has no room",
    read: async () => ({
      store: context.storeRoom.fullSince ? 1 : 0,
      database: context.database.diskFullSince ? 1 : 0,
    }),
  });
  const auditLag = gaugeOf(prom, context, {
    name: "gatehouse_audit_stream_lag_seconds",
    help: "For how long the oldest audit event has been waiting to leave; absent while the audit log is not streamed",
    read: async () => {
      const stream = await readAuditOutbox(context.database);
      return stream ? { audit_events: stream.lagSeconds } : {};
    },
  });
  const open = gaugeOf(prom, context, {
    name: "gatehouse_open_breakers",
    help: "Models of a provider that are not asked now, because five tries in a row failed, counted by region",
    label: "provider",
    read: async () => context.providers.openBreakers(),
  });
  counted.registerMetric(open);
  for (const gauge of [waiting, lags, full, auditLag]) stored.registerMetric(gauge);
  whenAnswered(app, ({ request, status, ms }) => {
    if (request.failure !== null && status >= serverErrors)
      counters.requestErrors.inc({ code: request.failure.code });
    const route = request.route.url ?? "unknown";
    requests.observe({ method: request.method, route, status: String(status) }, ms / 1000);
  });
  app.get(
    "/metrics",
    { config: { public: true, ownCredential: true, healthCheck: true } },
    async (request, reply) => {
      if (!isBearer(request.headers.authorization, token))
        throw new ApiError(
          "invalid_api_key",
          "Send the value of METRICS_TOKEN as `Authorization: Bearer <token>`.",
        );
      const texts = await Promise.all([readCounted(), stored.metrics()]);
      return reply.type(counted.contentType).send(texts.join("\n"));
    },
  );
}

interface ReadGauge {
  name: string;
  help: string;
  label?: "kind" | "provider";
  read: () => Promise<Record<string, number> | Map<string, number>>;
}

type Library = typeof import("prom-client");

/** A counter in the library's form. */
function counterOf(prom: Library, count: Count): Counter {
  const { name, help, labelNames } = count;
  const counter = new prom.Counter({
    name,
    help,
    labelNames,
    registers: [],
    collect() {
      counter.reset();
      for (const { labels, value } of count.values()) counter.inc(labels, value);
    },
  });
  return counter;
}

/**
 * A gauge by one label, read on each request. While the database is unavailable its gauges are left out, so that
 * the others still work.
 */
function gaugeOf(
  prom: Library,
  context: PlatformContext,
  { name, help, label = "kind", read }: ReadGauge,
): Gauge {
  const gauge = new prom.Gauge({
    name,
    help,
    labelNames: [label],
    registers: [],
    async collect() {
      gauge.reset();
      const values = await read().catch((error: unknown) => {
        context.log.warn({ err: error }, `${name} could not be read`);
        return {};
      });
      for (const [of, value] of values instanceof Map ? values : Object.entries(values))
        gauge.set({ [label]: of }, value);
    },
  });
  return gauge;
}

/** Counting batch rows stops here, because this is read several times a minute. */
const maxCountedRows = 100_000;

async function countWaiting({ database }: PlatformContext): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<Record<string, number>>(
    `select (select count(*) from predictions where status in ('starting', 'processing'))::int as predictions,
            (select count(*) from webhook_deliveries d
             where status in ('pending', 'failed') and next_attempt_at <= now() and not exists (
               select from accounts a where a.id = d.account_id and a.suspension is not null))::int as deliveries,
            (select count(*) from response_jobs)::int as responses,
            (select count(*) from (
               select from batches b join batch_rows r on r.batch_id = b.id and r.status = 'queued'
               where b.status = 'running' limit ${maxCountedRows}) rows)::int as batch_rows,
            (select count(*) from copies
             where status in ('pending', 'copying') and next_attempt_at <= now())::int as copies,
            (select count(*) from notice_messages where status = 'pending' and attempts > 0)::int as messages`,
  );
  const stream = await readAuditOutbox(database);
  return { ...rows[0], ...(stream && { audit_events: stream.waiting }) };
}

function isBearer(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
