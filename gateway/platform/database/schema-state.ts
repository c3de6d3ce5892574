import type pg from "pg";
import type { Migration } from "./migration-files.ts";

/** The history is kept where drizzle's own migrator keeps it. */
export const historyTables = `
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint);
  create table if not exists drizzle.readers_need (migration text primary key)`;

/** The migrations that this database does not have yet. Throws when its schema is newer than this release can read. */
export async function findPending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  await assertReadable(client, migrations);
  if (!(await exists(client, "drizzle.__drizzle_migrations"))) return migrations;
  const { rows } = await client.query<{ created_at: string }>(
    "select created_at from drizzle.__drizzle_migrations",
  );
  const applied = new Set(rows.map((row) => Number(row.created_at)));
  return migrations.filter(({ when }) => !applied.has(when));
}

/**
 * Newer migrations alone are no reason to refuse: the release before runs on the new schema. A migration that it cannot
 * live with says so ("readers need"), and is recorded with what it asks for.
 */
async function assertReadable(client: pg.Client, migrations: Migration[]): Promise<void> {
  if (!(await exists(client, "drizzle.readers_need"))) return;
  const { rows } = await client.query<{ migration: string }>(
    "select migration from drizzle.readers_need order by 1",
  );
  const known = new Set(migrations.map(({ tag }) => tag));
  const missing = rows.map(({ migration }) => migration).filter((tag) => !known.has(tag));
  if (missing.length > 0)
    throw new Error(
      `its schema is newer than this release can read: it needs a release with ${missing.join(", ")}, and this one ends at ${migrations.at(-1)?.tag}. Start the newer release`,
    );
}

/** Records an applied migration. */
export async function remember(client: pg.Client, { hash, when, readersNeed }: Migration): Promise<void> {
  if (readersNeed !== null)
    await client.query("insert into drizzle.readers_need values ($1) on conflict do nothing", [readersNeed]);
  await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [
    hash,
    when,
  ]);
}

async function exists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query("select to_regclass($1) is not null as known", [table]);
  return rows[0].known;
}
