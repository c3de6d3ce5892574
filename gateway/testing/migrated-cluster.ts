import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { pino } from "pino";
import { markNewFolder } from "#gateway/platform/core/listen-host.ts";
import { ensureCluster, gatewayRole, superuser } from "#gateway/platform/database/embedded/cluster.ts";
import { launch, newSocketFolder, selectRunner } from "#gateway/platform/database/embedded/embedded.ts";
import { migrateDatabase } from "#gateway/platform/database/migrate.ts";
import { stopPostmaster } from "../platform/database/embedded/postmaster.ts";
import { bundledPrograms } from "../platform/database/embedded/programs.ts";

/** A migrated database without connections, which `create database … template` copies. */
export const migratedTemplate = "gatehouse_base";

const cache = path.resolve(import.meta.dirname, "../../node_modules/.cache/test-clusters");
/** Clusters of other migrations and of earlier days are kept this long. */
const keptMs = 2 * 24 * 3_600_000;
/** A cluster's content depends on these files and on the day, because of its partitions. */
const sources = ["migrations", "embedded"].map((name) =>
  path.resolve(import.meta.dirname, "../platform/database", name),
);

/**
 * Gives a new data folder the migrated database that a first start makes. It is made once a day for each
 * state of the migrations and copied from then on: `initdb` and all migrations take seconds of processor
 * time.
 */
export async function copyMigratedCluster(dataDir: string): Promise<void> {
  const kept = path.join(cache, nameOfState());
  if (!existsSync(kept)) await makeCluster(kept);
  markNewFolder(dataDir);
  copyCluster(kept, path.join(realpathSync(dataDir), "postgres"));
}

function nameOfState(): string {
  const hash = createHash("sha256").update(new Date().toISOString().slice(0, 10)).update(process.version);
  for (const folder of sources)
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
      const file = path.join(folder, name);
      if (statSync(file).isFile() && !name.includes(".test.")) hash.update(name).update(readFileSync(file));
    }
  return hash.digest("hex").slice(0, 16);
}

async function makeCluster(kept: string): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "gatehouse-cluster-"));
  chmodSync(folder, 0o755); // The root user hands the server to another user, who must be able to enter the folder.
  try {
    const runner = selectRunner(folder, bundledPrograms());
    await ensureCluster(runner);
    const host = newSocketFolder(runner);
    const { pid } = await launch(runner, host, { fsync: "off" });
    try {
      const own = { host, user: gatewayRole, database: gatewayRole };
      await migrateDatabase(own, pino({ level: "silent" }));
      const client = new pg.Client({ host, user: superuser, database: "postgres" });
      await client.connect();
      await client
        .query(`create database ${migratedTemplate} owner ${gatewayRole} template ${gatewayRole}`)
        .finally(() => client.end());
    } finally {
      await stopPostmaster(pid, runner.cluster);
      rmSync(host, { recursive: true, force: true });
    }
    mkdirSync(cache, { recursive: true });
    const draft = `${kept}.${process.pid}`;
    copyCluster(runner.cluster, draft);
    try {
      renameSync(draft, kept);
    } catch (error) {
      // Another test run created the same cluster meanwhile.
      if (!existsSync(kept)) throw error;
      rmSync(draft, { recursive: true });
    }
    removeOld();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The server refuses a folder that others may read. Its owner is set when it starts. */
function copyCluster(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  chmodSync(to, 0o700);
}

function removeOld(): void {
  for (const name of readdirSync(cache)) {
    const folder = path.join(cache, name);
    if (Date.now() - statSync(folder).mtimeMs > keptMs) rmSync(folder, { recursive: true, force: true });
  }
}
