import { statfs } from "node:fs/promises";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readLags, type Sweep } from "#gateway/platform/core/sweeps.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { upstreamHealth } from "#gateway/platform/database/schema.ts";
import { recordCause } from "#gateway/platform/outbox/record-cause.ts";
import { certificateCauses, type Found } from "./certificates.ts";
import { occasionally } from "./occasionally.ts";

const operatorEveryMs = 60_000;
/** Older failures are ignored, because the provider may work again by now. */
const recentMs = 5 * 60_000;
const lagMinutes = 15;
const fullShare = { connections: 0.9, disk: 0.95 } as const;

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
