import { and, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { instanceId, leaseMs } from "#gateway/core/instance.ts";
import { predictions } from "#gateway/database/schema.ts";
import type { PredictionRow } from "./view.ts";

const leaseSeconds = leaseMs / 1000;

/**
 * Leases up to `limit` due predictions, except those that this process is working on: their lease may have expired
 * during a database outage. An unnamed statement: a plan cached on an empty table would be slow later.
 */
export async function leaseDue(
  context: Context,
  limit: number,
  inHand: ReadonlySet<string>,
): Promise<PredictionRow[]> {
  const claimed = await context.database.pool.query<{ id: string }>(
    `with due as (
       select id from predictions
       where status in ('starting', 'processing') and next_check_at <= now()
         and (lease_expires_at is null or lease_expires_at < now()) and id <> all ($4)
       order by next_check_at limit $1 for update skip locked)
     update predictions set lease_owner = $2, lease_expires_at = now() + make_interval(secs => $3)
     from due where predictions.id = due.id returning predictions.id`,
    [limit, instanceId, leaseSeconds, [...inHand]],
  );
  if (claimed.rows.length === 0) return [];
  const ids = claimed.rows.map((row) => row.id);
  return context.database.queries.select().from(predictions).where(inArray(predictions.id, ids));
}

/**
 * Renews the leases of the predictions that this process is working on. Not all of its leases: one whose answer was
 * lost with the connection, or that could not be released, must expire.
 */
export async function renewLeases(context: Context, inHand: ReadonlySet<string>): Promise<void> {
  await context.database.pool.query(
    `update predictions set lease_expires_at = now() + make_interval(secs => $2)
     where lease_owner = $1 and status in ('starting', 'processing') and id = any ($3)`,
    [instanceId, leaseSeconds, [...inHand]],
  );
}

/** Changes a leased prediction; false when it ended or was taken over meanwhile. */
export async function updateLeased(
  context: Context,
  id: string,
  values: Partial<typeof predictions.$inferInsert>,
): Promise<boolean> {
  const rows = await context.database.queries
    .update(predictions)
    .set(values)
    .where(
      and(
        eq(predictions.id, id),
        eq(predictions.leaseOwner, instanceId),
        inArray(predictions.status, ["starting", "processing"]),
      ),
    )
    .returning({ id: predictions.id });
  return rows.length > 0;
}

/** Releases a prediction until `afterMs` from now. */
export async function release(context: Context, id: string, afterMs: number): Promise<void> {
  await context.database.queries
    .update(predictions)
    .set({
      leaseOwner: null,
      leaseExpiresAt: null,
      nextCheckAt: sql`now() + make_interval(secs => ${afterMs / 1000})`,
    })
    .where(and(eq(predictions.id, id), eq(predictions.leaseOwner, instanceId)));
}

/** Releases the leases of a previous process of this data folder; only if this is the only process. */
export async function freeAllLeases(context: Context): Promise<void> {
  await context.database.pool.query(
    "update predictions set lease_owner = null, lease_expires_at = null where lease_owner is not null",
  );
}
