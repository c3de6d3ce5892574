import { mkdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { gatewayRole, superuser } from "#gateway/platform/database/embedded/cluster.ts";
import { startEmbedded } from "#gateway/platform/database/embedded/embedded.ts";
import { migrateDatabase } from "#gateway/platform/database/migrate.ts";
import { newRunFolder, removeLeftovers } from "./leftovers.ts";
import { databasesFolder } from "./memory-folder.ts";
import { copyMigratedCluster, migratedTemplate } from "./migrated-cluster.ts";

/** Provided to the tests: the server's address, the migrated database to copy, a folder for files. */
export interface TestServer {
  /** Connection of a user that may create databases. */
  admin: pg.ClientConfig;
  /** Connection of the gateway's role, without the database. */
  gateway: pg.ClientConfig;
  template: string;
  folder: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    testServer: TestServer;
  }
}

const log = pino({ level: "warn" });

/**
 * One server for all test files: embedded and without fsync, or the one behind TEST_DATABASE_URL
 * (its user must be allowed to create databases).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const folder = newRunFolder(os.tmpdir());
  const server = process.env.TEST_DATABASE_URL
    ? await externalServer(process.env.TEST_DATABASE_URL)
    : await embeddedServer();
  const files = path.join(folder, "files");
  mkdirSync(files);
  project.provide("testServer", {
    admin: server.admin,
    gateway: server.gateway,
    template: server.template,
    folder: files,
  });
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function embeddedServer() {
  const folder = newRunFolder(databasesFolder());
  await copyMigratedCluster(folder);
  const settings = {
    // Nobody needs these databases after a power failure.
    ...{ fsync: "off", full_page_writes: "off", max_wal_size: "256MB" },
    ...{ max_connections: "300", autovacuum: "off" },
  };
  const server = await startEmbedded({ dataDir: folder, log, mode: "own", settings });
  const { host } = server.connection;
  return {
    admin: { host, user: superuser, database: "postgres" },
    gateway: { host, user: gatewayRole },
    template: migratedTemplate,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function externalServer(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url);
  const gateway = {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
  const admin = { ...gateway, database: pathname.slice(1) || "postgres" };
  const template = `${migratedTemplate}_${process.pid}`;
  await asAdmin(admin, `create database ${template} owner ${gateway.user}`);
  await migrateDatabase({ ...gateway, database: template }, log);
  return { admin, gateway, template, stop: () => asAdmin(admin, `drop database ${template} with (force)`) };
}

async function asAdmin(admin: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(admin);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
