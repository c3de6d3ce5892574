import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import pg from "pg";
import { pino } from "pino";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { newFolder } from "#gateway/testing/folder.ts";
import { connect, openDatabase } from "../open.ts";
import { type EmbeddedServer, startEmbedded } from "./embedded.ts";
import { runningPostmaster, stopPostmaster } from "./postmaster.ts";
import { bundledPrograms } from "./programs.ts";

const log = pino({ level: "silent" });
const settings = { fsync: "off" };
let dataDir: string;
let cluster: string;

beforeEach(() => {
  dataDir = newFolder("embedded");
  cluster = path.join(dataDir, "postgres");
});

const start = (mode: "own" | "borrow" = "own") =>
  startEmbedded({ dataDir, log, mode, settings, handoverMs: 300 });

async function ask(server: EmbeddedServer, text: string): Promise<unknown[]> {
  const client = new pg.Client(server.connection);
  await client.connect();
  const answer = await client.query(text).finally(() => client.end());
  return answer.rows;
}

/** Simulates a gateway killed with SIGKILL: its server remains without an owner. */
async function leaveOrphan(): Promise<number> {
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(path.join(import.meta.dirname, "embedded.ts"))});
    const log = { info() {}, warn() {}, error() {} };
    await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log, mode: "own", settings: { fsync: "off" } });
    console.log("started");
    setInterval(() => {}, 1000);`;
  const gateway = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(gateway.stdout, "data");
  gateway.kill("SIGKILL");
  await once(gateway, "exit");
  return runningPostmaster(cluster)?.pid ?? 0;
}

it("keeps its data across a restart, and does not connect as a superuser", async () => {
  const first = await start();
  await ask(first, "create table kept as select 1 as one");
  await first.stop();
  expect(runningPostmaster(cluster)).toBeNull();
  const second = await start();
  expect(await ask(second, "select one from kept")).toEqual([{ one: 1 }]);
  expect(await ask(second, "select usesuper from pg_user where usename = current_user")).toEqual([
    { usesuper: false },
  ]);
  await second.stop();
});

it("refuses a second gateway on the same folder, and lets a command use the server", async () => {
  const first = await start();
  await expect(start()).rejects.toThrow(/in use by another gateway \(process \d+\).*GATEHOUSE_DATA_DIR/);
  const borrowed = await start("borrow");
  expect(await ask(borrowed, "select 1 as one")).toEqual([{ one: 1 }]);
  await borrowed.stop();
  expect(await ask(first, "select 1 as one")).toEqual([{ one: 1 }]);
  await first.stop();
});

it("takes over the server of a killed gateway, and ends it", async () => {
  const pid = await leaveOrphan();
  const server = await start();
  expect(runningPostmaster(cluster)?.pid).toBe(pid);
  await server.stop();
  expect(runningPostmaster(cluster)).toBeNull();
});

it("restarts the server of a killed gateway when more processes need more connections", async () => {
  const pid = await leaveOrphan();
  const server = await startEmbedded({ dataDir, log, mode: "own", settings, connections: 75 });
  expect(runningPostmaster(cluster)?.pid).not.toBe(pid);
  expect(await ask(server, "show max_connections")).toEqual([{ max_connections: "75" }]);
  await server.stop();
});

it("starts when postmaster.pid names a process id that was reused", async () => {
  const server = await start();
  const lines = readFileSync(path.join(cluster, "postmaster.pid"), "utf8").split("\n");
  await server.stop();
  writeFileSync(path.join(cluster, "postmaster.pid"), [process.pid, ...lines.slice(1)].join("\n"));
  const again = await start();
  expect(runningPostmaster(cluster)?.pid).not.toBe(process.pid);
  await again.stop();
});

it("removes the unfinished cluster of a killed start", async () => {
  mkdirSync(path.join(dataDir, "postgres.init-2147483646", "base"), { recursive: true });
  const server = await start();
  expect(existsSync(path.join(dataDir, "postgres.init-2147483646"))).toBe(false);
  await server.stop();
});

it("restarts the server when it dies; pool and listeners recover", async () => {
  const server = await start();
  const database = await connect(server.connection, log, () => server.stop());
  const calls: string[] = [];
  const back = Promise.withResolvers<void>();
  await database.listen("predictions", (payload) => {
    calls.push(payload);
    back.resolve();
  });
  const lent = await database.pool.connect();
  process.kill(runningPostmaster(cluster)?.pid ?? 0, "SIGKILL");
  await back.promise; // Called once after the reconnect, because notifications may have been missed.
  lent.release(true);
  expect(calls).toEqual([""]);
  expect((await database.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await database.close();
});

it("moves to your own server with the commands of docs/operating.md", async () => {
  chmodSync(dataDir, 0o755); // PostgreSQL refuses to run as root, so root's tests run it as another user.
  const first = await start();
  await ask(first, "create table kept as select 1 as one");
  await first.stop();
  const { uid, gid } = statSync(cluster);
  const folder = newFolder("moved");
  renameSync(dataDir, path.join(folder, ".data"));
  writeFileSync(path.join(folder, ".data/secret"), "the secret of this installation");
  for (const place of [folder, path.join(folder, ".data"), path.join(folder, ".data/secret")])
    chownSync(place, uid, gid);
  const chapter = readFileSync(path.resolve("docs/operating.md"), "utf8");
  const [, commands = ""] = /^```sh\n(cp -a .*?)^```/ms.exec(chapter) ?? [];
  const bin = bundledPrograms().folder;
  const script = commands.replace("/usr/lib/postgresql/18/bin", bin).replace("npm start", "");
  const env = { ...process.env, NEW: path.join(folder, "new") };
  execFileSync("bash", ["-e", "-c", script], { cwd: folder, env, uid, gid, stdio: "ignore" });
  onTestFinished(() => stopPostmaster(runningPostmaster(env.NEW)?.pid ?? 0, env.NEW));

  const settings = parseEnv(readFileSync(path.join(folder, ".env"), "utf8"));
  expect(settings).toMatchObject({
    AUTH_SECRET: "the secret of this installation",
    GATEWAY_HOST: "127.0.0.1",
  });
  const client = new pg.Client({ connectionString: settings.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query("select one from kept").finally(() => client.end());
  expect(rows).toEqual([{ one: 1 }]);

  const [, dump = ""] = /`(pg_dump -Fc -h [^`]+)`/.exec(chapter) ?? [];
  const ran = spawnSync("bash", ["-c", dump], { cwd: folder, env, encoding: "utf8" });
  const major = Number(
    /\d+/.exec(spawnSync("bash", ["-c", "pg_dump --version"], { encoding: "utf8" }).stdout ?? "")?.[0] ?? 0,
  );
  // Debian 12 has pg_dump 15, and some machines have none: then the command must fail, as the chapter says.
  if (major >= 18)
    expect([ran.status, readFileSync(path.join(folder, "gatehouse.dump"), "latin1")]).toEqual([
      0,
      expect.stringContaining("kept"),
    ]);
  else
    expect([ran.status, ran.stderr]).toEqual([
      expect.any(Number),
      expect.stringMatching(major === 0 ? /not found/ : /server version mismatch/),
    ]);
});

it("says what is missing when the database cannot be opened", async () => {
  const nowhere = { databaseUrl: "postgres://gatehouse@127.0.0.1:1/gatehouse", migrate: true, dataDir };
  await expect(openDatabase(nowhere, log)).rejects.toThrow(/DATABASE_URL/);
});
