import path from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";

/** drizzle's migrator takes no lock of its own: processes that start together would collide. */
const MIGRATION_LOCK = 4_747_002;
const MIGRATIONS_FOLDER = path.join(import.meta.dirname, "migrations");

/** Applies the migrations that this database does not have yet, one process at a time. */
export async function migrateDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  client.on("error", () => {}); // the query in progress tells
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER });
  } catch (error) {
    const { message } = ((error as Error).cause as Error | undefined) ?? (error as Error);
    throw new Error(`the database cannot be brought up to this release: ${message}`, { cause: error });
  } finally {
    await client.end(); // and the lock with it
  }
}
