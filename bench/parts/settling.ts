import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { newId } from "#contract/ids.ts";
import { openDistricts } from "#gateway/districts.ts";
import { readConfig } from "#gateway/platform/core/config.ts";
import { clusterFolder } from "#gateway/platform/database/embedded/places.ts";
import { runningPostmaster } from "#gateway/platform/database/embedded/postmaster.ts";
import { openDatabase } from "#gateway/platform/database/open.ts";
import { settle } from "#gateway/runs/predictions/settle.ts";

/*
 * Settles the requested number of image predictions in its own process and database, and reports the cost of
 * one.
 */
export interface Settled {
  /** Microseconds of this process, and of its PostgreSQL. */
  gatewayUs: number;
  databaseUs: number;
  walBytes: number;
}

const atOnce = 8;
const ticksPerSecond = 100;
const files = Number(process.env.BENCH_FILES);
const dataDir = process.env.BENCH_FOLDER ?? "";
const log = pino({ level: "error" });
const secret = "a-secret-for-the-bench-alone-0001";
const config = readConfig({ GATEHOUSE_DATA_DIR: dataDir, AUTH_SECRET: secret });
const database = await openDatabase(config, log);
const districts = await openDistricts({ config, log, database, telemetry: null });
const { context } = districts;
const postmaster = runningPostmaster(clusterFolder(dataDir))?.pid;
const accountId = newId("account");
const keyId = newId("key");
await database.pool.query("insert into accounts (id, name) values ($1, 'bench')", [accountId]);

process.on("message", (count: number) => void measure(count).then((settled) => process.send?.(settled)));
process.once("disconnect", () => void districts.close().then(() => process.exit()));
process.send?.(0);

async function measure(count: number): Promise<Settled> {
  const ids = Array.from({ length: count }, () => newId("prediction"));
  await database.pool.query(
    `insert into predictions (id, account_id, key_id, model, api_type, svc_region, status, input, deadline_at, started_at)
     select id, $2, $3, 'svc/img-sd', 'image-generation', 'us-virginia', 'processing', '{"prompt":"A river"}', now() + interval '1 hour', now()
     from unnest($1::text[]) as given (id)`,
    [ids, accountId, keyId],
  );
  const before = { cpu: process.cpuUsage(), databaseUs: databaseUs(), wal: await walBytes() };
  const waiting = ids.values();
  const work = async () => {
    for (const id of waiting) await settleOne(id);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const { user, system } = process.cpuUsage(before.cpu);
  return {
    gatewayUs: (user + system) / count,
    databaseUs: (databaseUs() - before.databaseUs) / count,
    walBytes: ((await walBytes()) - before.wal) / count,
  };
}

async function settleOne(id: string): Promise<void> {
  const outputs = Array.from({ length: files }, (_, index) => ({
    key: `outputs/${id}/${index + 1}.png`,
    contentType: "image/png",
    sizeBytes: 1_000_000,
    width: 1024,
    height: 1024,
    duration: null,
    sha256: randomBytes(32).toString("hex"),
  }));
  const usage = { unit: "generation" as const, quantity: files };
  if (!(await settle(context, id, { status: "succeeded", outputs, usage })))
    throw new Error(`${id} was not settled`);
}

async function walBytes(): Promise<number> {
  const { rows } = await database.pool.query("select pg_current_wal_insert_lsn() - '0/0' as bytes");
  return Number(rows[0].bytes);
}

/** All processes of PostgreSQL, including those that have ended. */
function databaseUs(): number {
  const ticks = readdirSync("/proc").reduce((sum, pid) => sum + (Number(pid) ? ticksOf(pid) : 0), 0);
  return (ticks / ticksPerSecond) * 1e6;
}

function ticksOf(pid: string): number {
  try {
    const text = readFileSync(path.join("/proc", pid, "stat"), "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [, parent, , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields;
    if (Number(pid) === postmaster) return user + system + endedUser + endedSystem;
    return parent === postmaster ? user + system : 0;
  } catch {
    // The process has just ended.
    return 0;
  }
}
