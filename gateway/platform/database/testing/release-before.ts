import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { newFolder } from "#gateway/testing/folder.ts";

export const ownMigrations = path.join(import.meta.dirname, "..", "migrations");
const lastOfReleaseBefore = "0008_key_budgets";

/** Creates an empty database. */
export async function emptyDatabase(): Promise<pg.ClientConfig> {
  const { admin, gateway } = inject("testServer");
  const name = `gatehouse_test_migrate_${Math.random().toString(36).slice(2, 10)}`;
  const owner = new pg.Client(admin);
  await owner.connect();
  await owner.query(`create database ${name} owner ${gateway.user}`);
  onTestFinished(async () => {
    await owner.query(`drop database ${name} with (force)`);
    await owner.end();
  });
  return { ...gateway, database: name };
}

export async function connectTo(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

interface Journal {
  entries: { tag: string; when: number }[];
}

export function readJournal(folder: string): Journal {
  return JSON.parse(readFileSync(path.join(folder, "meta", "_journal.json"), "utf8"));
}

/** A folder with the migrations of the previous release. */
export function migrationsOfReleaseBefore(): string {
  const folder = newFolder("release-before");
  cpSync(ownMigrations, folder, { recursive: true });
  const journal = readJournal(folder);
  const last = journal.entries.findIndex(({ tag }) => tag === lastOfReleaseBefore);
  writeFileSync(
    path.join(folder, "meta", "_journal.json"),
    JSON.stringify({ ...journal, entries: journal.entries.slice(0, last + 1) }),
  );
  return folder;
}
