import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNotNull, isNull, lt, sql } from "#gateway/platform/database/drizzle.ts";
import { configuration, providerConnections } from "#gateway/platform/database/schema.ts";
import type {
  FormerCredentials,
  StoredCredentials,
  StoredSecret,
} from "#gateway/platform/database/tables/configuration.ts";
import { type ConnectionRow, keyOwner, keySealer } from "./read-connections.ts";
import { runningAt, runningByProvider } from "./view.ts";

/** How long deleted or replaced data is kept, so that a change can be undone. */
const undoableMs = 86_400_000;

/**
 * Removes providers whose last prediction has ended, erases data that can no longer be undone, and reseals
 * keys.
 */
export const providerSweep: Sweep = {
  kind: "providers",
  async run({ config, database }) {
    await database.transaction(async (queries) => {
      const changed = (await letGoIdle(queries)) + (await eraseGone(queries));
      if (changed > 0) await queries.update(configuration).set({ revision: sql`revision + 1` });
      for (const row of await queries.select().from(providerConnections).for("update"))
        await tidy(queries, config, row);
    });
    return false;
  },
  oldestDue: () => null,
};

/** Returns how many were removed. */
async function letGoIdle(queries: Queries): Promise<number> {
  const leaving = await queries
    .select()
    .from(providerConnections)
    .where(and(isNotNull(providerConnections.leavingAt), isNull(providerConnections.goneAt)))
    .for("update");
  if (leaving.length === 0) return 0;
  const running = await runningByProvider(queries);
  const idle = leaving.filter((row) => runningAt(row, running) === 0);
  for (const { id } of idle)
    await queries
      .update(providerConnections)
      .set({ goneAt: clock.date() })
      .where(eq(providerConnections.id, id));
  return idle.length;
}

/** Returns how many were erased. */
async function eraseGone(queries: Queries): Promise<number> {
  const before = new Date(clock.now() - undoableMs);
  const erased = await queries.delete(providerConnections).where(lt(providerConnections.goneAt, before));
  return erased.rowCount ?? 0;
}

/**
 * Erases former keys after a day; while AUTH_SECRET is being replaced, reseals the others with the new one.
 */
async function tidy(queries: Queries, config: Config, row: ConnectionRow): Promise<void> {
  const former: FormerCredentials = {};
  for (const [change, { at, credentials }] of Object.entries(row.formerCredentials))
    if (Date.parse(at) > clock.now() - undoableMs)
      former[change] = { at, credentials: resealed(config, row.id, credentials) };
  const credentials = resealed(config, row.id, row.credentials);
  const isSame =
    JSON.stringify([former, credentials]) === JSON.stringify([row.formerCredentials, row.credentials]);
  if (isSame) return;
  await queries
    .update(providerConnections)
    .set({ credentials, formerCredentials: former })
    .where(eq(providerConnections.id, row.id));
}

function resealed(config: Config, providerId: string, credentials: StoredCredentials): StoredCredentials {
  if (!config.previousSecret) return credentials;
  const sealer = keySealer(config);
  return Object.fromEntries(
    Object.entries(credentials).map(([region, { more, ...first }]) => {
      const owner = keyOwner(providerId, region);
      const anew = <Key extends StoredSecret>(key: Key): Key => {
        const { sealed } = key;
        if (!sealed || sealed.keyId === sealer.keyId) return key;
        return { ...key, sealed: sealer.seal(sealer.open(sealed, owner), owner) };
      };
      return [region, { ...anew(first), ...(more && { more: more.map(anew) }) }];
    }),
  );
}
