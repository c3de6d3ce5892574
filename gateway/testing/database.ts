import { randomBytes } from "node:crypto";
import pg from "pg";
import { pino } from "pino";
import { inject } from "vitest";
import type { Database } from "../platform/database/database.ts";
import { connect } from "../platform/database/open.ts";

/** A new, migrated and empty database, removed by `close()`. */
export async function createTestDatabase(): Promise<Database> {
  const { admin, gateway, template } = inject("testServer");
  const name = `gatehouse_test_${randomBytes(6).toString("hex")}`;
  await asAdmin(
    admin,
    `create database ${name} template ${template} owner ${gateway.user} strategy file_copy`,
  );
  return connect({ ...gateway, database: name }, pino({ level: "silent" }), () =>
    asAdmin(admin, `drop database if exists ${name} with (force)`),
  );
}

async function asAdmin(admin: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(admin);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** The DATABASE_URL with which another process opens the same database. */
export function databaseUrlOf(database: Database): string {
  const { host, port, user, password, database: name } = database.pool.options;
  const server = new URL("postgres://localhost");
  server.username = user ?? "";
  server.password = String(password ?? "");
  server.pathname = name ?? "";
  server.searchParams.set("host", host ?? "");
  if (port) server.port = String(port);
  return server.href;
}
