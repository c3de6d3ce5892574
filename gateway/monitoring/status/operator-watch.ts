import { statfs } from "node:fs/promises";
import tls from "node:tls";
import { dayOf } from "#gateway/billing/budgets/state.ts";
import type { MonitoringContext } from "#gateway/monitoring/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { occasionally, readLags, type Sweep } from "#gateway/platform/core/sweeps.ts";
import { eq, gte, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, auditStream, upstreamHealth, usageModelDays } from "#gateway/platform/database/schema.ts";
import { type Load, readLoad } from "#gateway/platform/figures/load.ts";
import { readAuditOutbox } from "#gateway/platform/outbox/audit-outbox.ts";
import { type NewCause, recordCause } from "#gateway/platform/outbox/outbox.ts";

const operatorEveryMs = 60_000;
/** Older failures are ignored, because the provider may work again by now. */
const recentMs = 5 * 60_000;
const lagMinutes = 15;
const fullShare = { connections: 0.9, disk: 0.95 } as const;

const hostNoticeMs = 14 * 86_400_000;
const connectMs = 5_000;
/** How often the certificates are read. */
const certificatesEveryMs = 12 * 3_600_000;

interface Found extends Omit<NewCause, "accountId" | "once"> {
  isDaily?: boolean;
  /** The cause is recorded once for all the time that began then. */
  since?: Date;
}

interface Read {
  atMs: number;
  expiries: Map<string, Date>;
}

const lastRead = new WeakMap<MonitoringContext, Read>();

/**
 * Looks for problems that only operators can fix. Each is recorded once an hour while it lasts, or once a day, or once
 * until it has ended.
 */
export async function recordOperatorCauses(
  context: MonitoringContext,
  sweeps: readonly Sweep<MonitoringContext>[],
): Promise<void> {
  const found = [
    ...(await providerCauses(context)),
    ...(await lagCauses(context, sweeps)),
    ...(await auditStreamCauses(context)),
    ...(await databaseCauses(context)),
    ...(await loadCauses(context)),
    ...storeCauses(context),
    ...(await certificateCauses(context)),
    ...(await signingCauses(context)),
    ...(await priceCauses(context)),
  ];
  const hour = clock.date().toISOString().slice(0, 13);
  for (const { isDaily = false, since, ...cause } of found) {
    const time = since?.toISOString() ?? (isDaily ? dayOf(clock.now()) : hour);
    await context.database.transaction((queries) =>
      recordCause(queries, {
        ...cause,
        accountId: null,
        once: [cause.cause, cause.subjectId ?? "", time].join(" "),
      }),
    );
  }
}

/**
 * Certificates of the installation's own URLs that expire soon. Only a TLS handshake is made; no request is
 * sent.
 */
async function certificateCauses(context: MonitoringContext): Promise<Found[]> {
  let read = lastRead.get(context);
  if (!read || performance.now() - read.atMs > certificatesEveryMs) {
    read = { atMs: performance.now(), expiries: await readExpiries(context) };
    lastRead.set(context, read);
  }
  return [...read.expiries]
    .filter(([, expiresAt]) => expiresAt.getTime() - clock.now() < hostNoticeMs)
    .map(
      ([host, expiresAt]): Found => ({
        cause: "certificate.expiring",
        subjectId: host,
        data: { host, expires_at: expiresAt.toISOString() },
      }),
    );
}

async function readExpiries({ config }: MonitoringContext): Promise<Map<string, Date>> {
  if (config.quiet) return new Map();
  const urls = [config.publicUrl, config.consoleUrl].map((text) => new URL(text));
  const hosts = new Map(urls.filter(({ protocol }) => protocol === "https:").map((url) => [url.host, url]));
  const expiries = new Map<string, Date>();
  for (const [host, url] of hosts) {
    const expiresAt = await expiryOf(url);
    if (expiresAt) expiries.set(host, expiresAt);
  }
  return expiries;
}

/** Null if no server answers: a proxy may be reachable only from outside. */
function expiryOf({ hostname, port }: URL): Promise<Date | null> {
  return new Promise((resolve) => {
    const socket = tls.connect({
      host: hostname,
      port: Number(port || 443),
      servername: hostname,
      // The check must also read expired certificates. No data is sent.
      rejectUnauthorized: false,
    });
    const finish = (expiresAt: Date | null) => {
      socket.destroy();
      resolve(expiresAt);
    };
    socket.setTimeout(connectMs, () => finish(null));
    socket.once("error", () => finish(null));
    socket.once("secureConnect", () => {
      const expiresAt = new Date(socket.getPeerCertificate().valid_to);
      finish(Number.isNaN(expiresAt.getTime()) ? null : expiresAt);
    });
  });
}

/** Failures that running requests met at upstreams, if no later request succeeded. */
async function providerCauses({ database }: MonitoringContext): Promise<Found[]> {
  const rows = await database.queries
    .select()
    .from(upstreamHealth)
    .where(
      sql`${upstreamHealth.lastFailureAt} > now() - make_interval(secs => ${recentMs / 1000})
        and (${upstreamHealth.lastSuccessAt} is null or ${upstreamHealth.lastSuccessAt} < ${upstreamHealth.lastFailureAt})`,
    );
  return rows.flatMap(({ provider, model, region, failureMessage, openUntil }): Found[] => {
    const message = failureMessage ?? "";
    const data = { provider, model, region, message };
    const inRegion = `${provider} ${region}`;
    if (/^HTTP 402\b|insufficient_quota|billing|out of credit/i.test(message))
      return [{ cause: "provider.bill_unpaid", subjectId: inRegion, data }];
    if (/^HTTP 40[13]\b/.test(message)) return [{ cause: "provider.key_refused", subjectId: inRegion, data }];
    return openUntil && openUntil > clock.date()
      ? [{ cause: "provider.unhealthy", subjectId: `${inRegion} ${model}`, data }]
      : [];
  });
}

async function lagCauses(
  context: MonitoringContext,
  sweeps: readonly Sweep<MonitoringContext>[],
): Promise<Found[]> {
  const lags = Object.entries(await readLags(context, sweeps));
  return lags
    .filter(([, seconds]) => seconds > lagMinutes * 60)
    .map(
      ([kind, seconds]): Found => ({
        cause: "retention.lagging",
        subjectId: kind,
        data: { kind: kind.replaceAll("_", " "), minutes: Math.round(seconds / 60) },
      }),
    );
}

/** The audit log, if it has not left for long. It has recovered when its lag is half of what is too long. */
async function auditStreamCauses({ database, config }: MonitoringContext): Promise<Found[]> {
  const stream = await readAuditOutbox(database);
  if (!stream) return [];
  const { waiting, lagSeconds, error } = stream;
  const lagMs = lagSeconds * 1000;
  const isBehind = lagMs >= config.auditStreamBehindMs;
  if (!isBehind && lagMs > config.auditStreamBehindMs / 2) return [];
  const behindSince = isBehind ? sql`coalesce(${auditStream.behindSince}, now())` : null;
  const [known] = await database.queries
    .update(auditStream)
    .set({ behindSince })
    .returning({ since: auditStream.behindSince });
  if (!known?.since) return [];
  const data = { waiting, minutes: Math.round(lagSeconds / 60), error: error ?? "" };
  return [{ cause: "audit_stream.behind", data, since: known.since }];
}

/** Disk space is checked only if the database runs in the data folder. */
async function databaseCauses({ database, config }: MonitoringContext): Promise<Found[]> {
  const { rows } = await database.pool.query<{ used: number; most: number }>(
    `select (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as used,
      current_setting('max_connections')::int as most`,
  );
  const { used = 0, most = 1 } = rows[0] ?? {};
  const found: Found[] = [];
  if (used >= most * fullShare.connections)
    found.push({ cause: "database.connections", data: { used, limit: most } });
  if (config.databaseUrl !== null) return found;
  const { bavail, blocks, bsize } = await statfs(config.dataDir);
  if (bavail <= blocks * (1 - fullShare.disk))
    found.push({ cause: "database.disk", data: { free: inGb(bavail * bsize), size: inGb(blocks * bsize) } });
  return found;
}

const minuteMs = 60_000;
const loadMinutes = 5;
/** A process has no processor time left beyond this part: one thread answers all its requests. */
const busyPart = 0.8;

/** The account with the largest part of the processor time, if processes have almost none left. */
async function loadCauses({ database }: MonitoringContext): Promise<Found[]> {
  // Whole minutes only: with the current one, the same part would be reached earlier.
  const thisMinute = Math.floor(clock.now() / minuteMs) * minuteMs;
  const read = (await readLoad(database, loadMinutes)).filter(
    ({ minute }) => minute.getTime() < thisMinute && minute.getTime() >= thisMinute - loadMinutes * minuteMs,
  );
  const byProcess = Map.groupBy(read, ({ processId }) => processId);
  const busy = [...byProcess.values()].filter(
    (rows) => processorMsOf(rows) >= busyPart * loadMinutes * minuteMs,
  );
  const byAccount = Map.groupBy(busy.flat(), ({ accountId }) => accountId);
  const [largest] = [...byAccount].sort(([, one], [, other]) => processorMsOf(other) - processorMsOf(one));
  if (!largest) return [];
  const [accountId, rows] = largest;
  const [account] = await database.queries
    .select({ name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  const nobody = accountId === "" ? "Requests without a key" : "Many small accounts";
  const data = {
    account: account?.name ?? nobody,
    share: Math.round((100 * processorMsOf(rows)) / processorMsOf(busy.flat())),
    requests: rows.reduce((sum, { requests }) => sum + requests, 0),
    minutes: loadMinutes,
  };
  return [{ cause: "load.high", subjectId: accountId, data }];
}

function processorMsOf(rows: readonly Load[]): number {
  return rows.reduce((sum, { processorMs }) => sum + processorMs, 0);
}

function storeCauses({ storeRoom }: MonitoringContext): Found[] {
  const since = storeRoom.fullSince;
  return since ? [{ cause: "store.full", data: { since: since.toISOString() } }] : [];
}

function inGb(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

const signingNoticeMs = 30 * 86_400_000;

/**
 * The signing certificate for outputs, if it expires soon. Replacing it takes longer than for a host's
 * certificate.
 */
async function signingCauses({ signer }: MonitoringContext): Promise<Found[]> {
  if (!signer) return [];
  const { certificate } = await signer.current();
  const { subject, expiresAt } = certificate;
  if (expiresAt.getTime() - clock.now() >= signingNoticeMs) return [];
  const data = { subject, expires_at: expiresAt.toISOString() };
  return [{ cause: "signing_certificate.expiring", data }];
}

const dayMs = 86_400_000;

/**
 * Models that ran today without a price, with their runs since yesterday: the notice comes at the first run
 * and a day later with that day's number. Without any price, the installation does not count money.
 */
async function priceCauses({ database, prices }: MonitoringContext): Promise<Found[]> {
  if (prices.book.isEmpty) return [];
  const [today, since] = [dayOf(clock.now()), dayOf(clock.now() - dayMs)];
  const { day, model, chargeNotPriced } = usageModelDays;
  const runs = sql<number>`sum(${chargeNotPriced})::int`;
  const rows = await database.queries
    .select({ model, runs })
    .from(usageModelDays)
    .where(gte(day, since))
    .groupBy(model)
    .having(sql`sum(${chargeNotPriced}) filter (where ${day} >= ${today}) > 0`);
  return rows.map((row) => ({
    cause: "usage.not_priced",
    subjectId: row.model,
    data: { runs: row.runs, since },
    isDaily: true,
  }));
}

export const operatorWatch = occasionally("operator_watch", operatorEveryMs, (context: MonitoringContext) =>
  recordOperatorCauses(context, context.sweeps),
);
