import { statfs } from "node:fs/promises";
import tls from "node:tls";
import type { BaseContext, Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readLags, type Sweep } from "#gateway/platform/core/sweeps.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { upstreamHealth } from "#gateway/platform/database/schema.ts";
import { isListed } from "#gateway/platform/database/tables/webhooks.ts";
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

type Found = Omit<NewCause, "accountId" | "once">;

interface Read {
  atMs: number;
  expiries: Map<string, Date>;
}

const lastRead = new WeakMap<BaseContext, Read>();

/** Looks for problems that only operators can fix. Each is recorded once an hour while it lasts. */
export async function recordOperatorCauses(context: Context, sweeps: readonly Sweep[]): Promise<void> {
  const found = [
    ...(await providerCauses(context)),
    ...(await lagCauses(context, sweeps)),
    ...(await databaseCauses(context)),
    ...storeCauses(context),
    ...(await certificateCauses(context)),
    ...(await signingCauses(context)),
  ];
  const hour = clock.date().toISOString().slice(0, 13);
  for (const cause of found)
    await context.database.transaction((queries) =>
      recordCause(queries, {
        ...cause,
        accountId: null,
        once: [cause.cause, cause.subjectId ?? "", hour].join(" "),
      }),
    );
}

/**
 * Certificates of the installation's own URLs that expire soon. Only a TLS handshake is made; no request is
 * sent.
 */
async function certificateCauses(context: BaseContext): Promise<Found[]> {
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

async function readExpiries({ config }: BaseContext): Promise<Map<string, Date>> {
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
async function providerCauses({ database }: Context): Promise<Found[]> {
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

async function lagCauses(context: Context, sweeps: readonly Sweep[]): Promise<Found[]> {
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

/** Disk space is checked only if the database runs in the data folder. */
async function databaseCauses({ database, config }: Context): Promise<Found[]> {
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

function storeCauses({ storeRoom }: Context): Found[] {
  const since = storeRoom.fullSince;
  return since ? [{ cause: "store.full", data: { since: since.toISOString() } }] : [];
}

function inGb(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

export function operatorWatch(sweeps: () => readonly Sweep[]): Sweep {
  return occasionally("operator_watch", operatorEveryMs, (context) =>
    recordOperatorCauses(context, sweeps()),
  );
}

/**
 * Periodically runs a check for causes that no other code reports. If two processes check at once, they find
 * the same causes.
 */
function occasionally(kind: string, everyMs: number, look: (context: Context) => Promise<void>): Sweep {
  const nextAt = new WeakMap<Context, number>();
  return {
    kind,
    async run(context) {
      if (performance.now() < (nextAt.get(context) ?? 0)) return false;
      await look(context);
      nextAt.set(context, performance.now() + everyMs);
      return false;
    },
    oldestDue: () => null,
  };
}

const signingNoticeMs = 30 * 86_400_000;

/**
 * The signing certificate for outputs, if it expires soon. Replacing it takes longer than for a host's
 * certificate.
 */
async function signingCauses({ signer }: Context): Promise<Found[]> {
  if (!signer) return [];
  const { certificate } = await signer.current();
  const { subject, expiresAt } = certificate;
  if (expiresAt.getTime() - clock.now() >= signingNoticeMs) return [];
  const data = { subject, expires_at: expiresAt.toISOString() };
  return [{ cause: "signing_certificate.expiring", data }];
}

/** How many days before a key's end a notice is written, once each. */
const noticeDays = [7, 1] as const;
const keysAtOnce = 500;
const keysEveryMs = 10 * 60_000;

type ExpiringKey = {
  id: string;
  account_id: string;
  user_id: string | null;
  name: string;
  hint: string;
  expires_at: Date | string;
};

/** Records account keys that expire soon: a week and a day before. */
export async function recordExpiringKeys({ database }: BaseContext): Promise<void> {
  for (const [at, days] of noticeDays.entries())
    await database.transaction(async (queries) => {
      const { rows } = await queries.execute<ExpiringKey>(sql`
        select k.id, k.account_id, k.user_id, k.name, k.hint, k.expires_at from api_keys k
        where k.revoked_at is null
          -- A key that ends within a day gets only the one-day notice, not the one-week notice as well.
          and k.expires_at > now() + make_interval(days => ${noticeDays[at + 1] ?? 0})
          and k.expires_at <= now() + make_interval(days => ${days})
          -- No notice for a key that was created with a shorter life than this: its end was planned.
          and k.expires_at - k.created_at > make_interval(days => ${days})
          and not exists (select from notice_causes c where c.once_key = ${onceKey(sql`k.id`, sql`k.expires_at`, days)})
        order by k.expires_at limit ${keysAtOnce}`);
      for (const row of rows) {
        const expiresAt = new Date(row.expires_at);
        await recordCause(queries, {
          cause: "key.expiring",
          accountId: row.account_id,
          userId: row.user_id,
          subjectId: row.id,
          data: { name: row.name, hint: row.hint, expires_at: expiresAt.toISOString() },
          once: `key.expiring ${row.id} ${Math.floor(expiresAt.getTime() / 1000)} ${days}`,
        });
      }
    });
}

function onceKey(id: ReturnType<typeof sql>, expiresAt: ReturnType<typeof sql>, days: number) {
  return sql`'key.expiring ' || ${id} || ' ' || floor(extract(epoch from ${expiresAt}))::bigint || ${` ${days}`}`;
}

export const expiringKeySweep = occasionally("expiring_keys", keysEveryMs, recordExpiringKeys);

/**
 * Makers are notified this many hours before an output is removed; the notice also covers outputs that are
 * removed in the hour after it.
 */
const aheadHours = 1;
const groupsAtOnce = 200;
const outputsEveryMs = 60_000;

type Expiring = {
  account_id: string;
  user_id: string | null;
  predictions: number;
  first: Date | string;
  last: Date | string;
};

/**
 * Records outputs that will be removed soon, for makers who chose this notice: people, and accounts with a
 * hook or an endpoint. One cause covers all outputs of a maker that have not been in a notice yet.
 */
export async function recordExpiringOutputs({ database }: BaseContext): Promise<void> {
  await database.transaction(async (queries) => {
    const { rows } = await queries.execute<Expiring>(sql`
      with wanting as (
        select m.account_id, m.user_id from members m join notice_preferences p on p.user_id = m.user_id
        where (p.choices #>> '{outputs.expiring,console}')::bool or (p.choices #>> '{outputs.expiring,email}')::bool
      ),
      hooked as (
        select account_id from notice_hooks where causes @> array['outputs.expiring']
        union
        select account_id from webhook_endpoints where events @> array['outputs.expiring'] and ${sql.raw(isListed())}
      ),
      soon as (
        select account_id, user_id, expires_at from predictions
        where data_removed_at is null and expires_at > now() and expires_at <= now() + make_interval(hours => ${2 * aheadHours})
          and status = 'succeeded'
          -- Skip predictions whose files are all kept.
          and exists (
            select from (values (0)) as one
            left join outputs o on o.run_id = predictions.id
            left join kept_outputs k on k.output_id = o.id and k.goes_at is null
            where k.output_id is null
          )
          and (account_id in (select account_id from hooked) or account_id in (select account_id from wanting))
      ),
      told as (
        select account_id, user_id, max((data->>'until')::timestamptz) as until from notice_causes
        where cause = 'outputs.expiring' and created_at > now() - interval '1 day' group by 1, 2
      )
      select s.account_id, s.user_id, count(*)::int as predictions, min(s.expires_at) as first, max(s.expires_at) as last
      from soon s left join told t on t.account_id = s.account_id and t.user_id is not distinct from s.user_id
      where t.until is null or s.expires_at > t.until
      group by s.account_id, s.user_id
      having min(s.expires_at) <= now() + make_interval(hours => ${aheadHours})
      limit ${groupsAtOnce}`);
    for (const { account_id: accountId, user_id: userId, predictions, first, last } of rows) {
      const until = new Date(last).toISOString();
      await recordCause(queries, {
        cause: "outputs.expiring",
        accountId,
        userId,
        data: { predictions, from: new Date(first).toISOString(), until },
        once: `outputs.expiring ${accountId} ${userId ?? ""} ${until}`,
      });
    }
  });
}

export const expiringOutputSweep = occasionally("expiring_outputs", outputsEveryMs, recordExpiringOutputs);
