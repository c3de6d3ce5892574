import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { afterEach, expect, inject, onTestFinished, test } from "vitest";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import type { AuditStreamConfig } from "#gateway/platform/core/audit-stream-config.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { readAuditOutbox } from "#gateway/platform/outbox/audit-outbox.ts";
import { fresh } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";
import { type Random, seededRandom } from "#gateway/testing/random.ts";

const kills = 20;
/** Two processes stream: one continues while the other is killed and started again. */
const processes = 2;
const drainMs = 60_000;
const gateway = fresh(() => startTestGateway({ role: "api" }));
const streamProcess = path.resolve(import.meta.dirname, "testing/stream-process.ts");
const running: ChildProcess[] = [];

afterEach(() => Promise.all(running.splice(0).map(kill)));

async function kill(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  process.kill("SIGKILL");
  await once(process, "exit");
}

async function start(auditStream: AuditStreamConfig): Promise<ChildProcess> {
  const { config, database } = gateway.context;
  const { host, port, user, password, database: name } = database.pool.options;
  const file = path.join(newFolder("stream"), "stream.json");
  writeFileSync(
    file,
    JSON.stringify({
      config: { ...config, auditStream },
      connection: { host, port, user, password, database: name },
    }),
  );
  const started = fork(streamProcess, [file], { execArgv: [] });
  running.push(started);
  await once(started, "message");
  return started;
}

/** People who change things all the time, some of them in transactions that take long. */
async function startWriters(random: Random) {
  const { database } = gateway.context;
  const { accountId } = await gateway.createAccount();
  const written: string[] = [];
  let stopped = false;
  let made = 0;
  const write = async () => {
    while (!stopped) {
      made += 1;
      const targetId = `change ${made}`;
      const waits = random() < 0.1;
      try {
        await database.transaction(async (queries) => {
          await recordAudit(queries, { accountId, actor: null, action: "note.created", targetId });
          if (waits) await queries.execute(sql`select pg_sleep(0.1)`);
        });
        written.push(targetId);
      } catch {
        await after(100); // The database is away. Whether this change was saved is unknown.
      }
      await after(5);
    }
  };
  const writers = Promise.all(Array.from({ length: 4 }, write));
  return {
    written,
    async stop() {
      stopped = true;
      await writers;
    },
  };
}

interface Event {
  event: { sequence: number };
  gatehouse: { target_id?: string };
}

/** Every change is there once, under numbers without gaps. Changes that were not confirmed may be there, too. */
function expectEachOnce(events: readonly Event[], written: readonly string[]): void {
  expect(events.map(({ event }) => event.sequence)).toEqual(events.map((_, place) => place + 1));
  const arrived = events.map(({ gatehouse }) => gatehouse.target_id);
  expect(new Set(arrived).size).toBe(arrived.length);
  const known = new Set(arrived);
  expect(written.filter((target) => !known.has(target))).toEqual([]);
  expect(written.length).toBeGreaterThan(kills * 10);
}

const hasLeft = () =>
  expect
    .poll(async () => (await readAuditOutbox(gateway.context.database))?.waiting, { timeout: drainMs })
    .toBe(0);

/** Follows a file as a shipper does: by its open handle, to the end of a renamed one, then the new one of that name. */
function startFollower(file: string) {
  let handle: number | null = null;
  let place = 0;
  let text = "";
  const read = (): void => {
    try {
      handle ??= openSync(file, "r");
    } catch {
      return; // It is not there yet.
    }
    const { size, ino } = fstatSync(handle);
    // A shipper would read a file that became shorter again from its start.
    expect(size).toBeGreaterThanOrEqual(place);
    const bytes = Buffer.alloc(size - place);
    place += readSync(handle, bytes, 0, bytes.length, place);
    text += bytes.toString();
    const now = statSync(file, { throwIfNoEntry: false });
    // A batch that was being written when the file was renamed ends in the renamed file.
    if (bytes.length > 0 || !now || now.ino === ino || !text.endsWith("\n")) return;
    closeSync(handle);
    handle = null;
    place = 0;
  };
  const timer = setInterval(read, 20);
  return {
    events(): Event[] {
      clearInterval(timer);
      for (let times = 0; times < 50; times += 1) read();
      return text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    },
  };
}

test("a file that somebody follows has every event once and in order, over 20 kills at random moments and rotations", async () => {
  const random = seededRandom("killed while it writes a file");
  const file = path.join(newFolder("audit"), "audit.jsonl");
  const to: AuditStreamConfig = { kind: "file", path: file, retryMaxMs: 100 };
  const streams = await Promise.all(Array.from({ length: processes }, () => start(to)));
  const writers = await startWriters(random);
  const follower = startFollower(file);
  for (let killed = 0; killed < kills; killed += 1) {
    await after(random() * 500);
    const at = Math.floor(random() * processes);
    await kill(streams[at] as ChildProcess);
    if (killed % 5 === 2) {
      renameSync(file, `${file}.${killed}`);
      await expect.poll(() => statSync(file, { throwIfNoEntry: false }), { timeout: drainMs }).toBeDefined();
    }
    streams[at] = await start(to);
  }
  await writers.stop();
  await hasLeft();
  expectEachOnce(follower.events(), writers.written);
});

test("a receiver that drops known batches has every event once and in order, over kills, its outage and a restart of the database", async () => {
  const random = seededRandom("killed while it posts");
  const batches = new Map<string, string>();
  let repeated = 0;
  let isAway = false;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // The sender was killed.
    }
    if (isAway) return void response.writeHead(503).end();
    const body = Buffer.concat(chunks).toString();
    const id = JSON.parse(body).id;
    if (batches.has(id)) {
      repeated += 1;
      expect(batches.get(id)).toBe(body);
    }
    batches.set(id, body);
    // Some answers get lost.
    if (random() < 0.1) return void response.destroy();
    setTimeout(() => response.writeHead(204).end(), random() * 50);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const to: AuditStreamConfig = {
    kind: "webhook",
    secret: `whsec_${Buffer.alloc(32).toString("base64")}`,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    headers: {},
    timeoutMs: 2_000,
    retryMaxMs: 200,
  };
  const streams = await Promise.all(Array.from({ length: processes }, () => start(to)));
  const writers = await startWriters(random);
  const killOne = async () => {
    await after(random() * 500);
    const at = Math.floor(random() * processes);
    await kill(streams[at] as ChildProcess);
    streams[at] = await start(to);
  };
  for (let killed = 0; killed < kills / 2; killed += 1) await killOne();
  isAway = true;
  await expect
    .poll(async () => (await readAuditOutbox(gateway.context.database))?.lagSeconds, { timeout: drainMs })
    .toBeGreaterThan(10);
  await killOne();
  isAway = false;
  const name = String(gateway.context.database.pool.options.database);
  const admin = new pg.Client(inject("testServer").admin);
  await admin.connect();
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  await after(3_000);
  await admin.query(`alter database ${name} allow_connections true`);
  await admin.end();
  for (let killed = 0; killed < kills / 2; killed += 1) await killOne();
  await writers.stop();
  await hasLeft();
  expectEachOnce(
    [...batches.values()].flatMap((body) => JSON.parse(body).data),
    writers.written,
  );
  expect(repeated).toBeGreaterThan(0);
});
