import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { gatewayRole, superuser } from "#gateway/platform/database/embedded/cluster.ts";
import { startEmbedded } from "#gateway/platform/database/embedded/embedded.ts";
import { migrateDatabase } from "#gateway/platform/database/migrate.ts";
import { clusterFolder } from "../platform/database/embedded/places.ts";
import { isAlive, runningPostmaster, stopPostmaster } from "../platform/database/embedded/postmaster.ts";
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

const PREFIX = "gatehouse-test-";
const log = pino({ level: "warn" });

/**
 * One server for all test files: embedded and without fsync, or the one behind TEST_DATABASE_URL
 * (its user must be allowed to create databases).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const folder = mkdtempSync(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o755); // The root user hands the server to another user, who must be able to enter the folder.
  const server = process.env.TEST_DATABASE_URL
    ? await externalServer(process.env.TEST_DATABASE_URL)
    : await embeddedServer(folder);
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

async function embeddedServer(folder: string) {
  await copyMigratedCluster(folder);
  const settings = { fsync: "off", max_connections: "300", autovacuum: "off" };
  const server = await startEmbedded({ dataDir: folder, log, mode: "own", settings });
  const { host } = server.connection;
  return {
    admin: { host, user: superuser, database: "postgres" },
    gateway: { host, user: gatewayRole },
    template: migratedTemplate,
    stop: () => server.stop(),
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

/** Leftovers of a killed test run. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(os.tmpdir())) {
    const maker = Number(/^gatehouse-test-(\d+)-/.exec(name)?.[1]);
    if (!maker || isAlive(maker)) continue;
    const folder = path.join(os.tmpdir(), name);
    for (const dataDir of [folder, ...foldersIn(path.join(folder, "files"))]) {
      const cluster = clusterFolder(dataDir);
      const postmaster = runningPostmaster(cluster);
      if (postmaster) await stopPostmaster(postmaster.pid, cluster);
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The folder for data of tests that start the real program or their own server. */
function foldersIn(parent: string): string[] {
  const entries = existsSync(parent) ? readdirSync(parent, { withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(parent, entry.name));
}
