import { type ChildProcess, execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { text } from "node:stream/consumers";
import pg from "pg";
import { beforeAll, expect, inject, it, onTestFinished, vi } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { createTestDatabase } from "./testing/database.ts";
import { answersSoon, endProgram, freePort, spawnProgram } from "./testing/program.ts";
import { programScene } from "./testing/program-scene.ts";
import { startRelay } from "./testing/relay.ts";

/** The name of a process that does not belong to this installation. */
const elsewhere = "elsewhere";
const token = "only-for-the-operator";
const soon = { timeout: 60_000, interval: 100 };
/** Videos are made at a low priority, so they take long on a busy machine. */
const film = { timeout: 240_000, interval: 100 };
const minutes = 300_000;
let program: ChildProcess;
let session: string;
const scene = shared(() => programScene({ GATEWAY_PROCESSES: "2", METRICS_TOKEN: token }));
beforeAll(async () => {
  program = await scene.start();
  ({ session } = await scene.signIn());
}, minutes);

const origin = () => scene.url.replace("/v1", "");

/** A request on a new connection, so that the processes take turns. */
async function get(path: string, headers: Record<string, string> = {}) {
  const request = http.get(`${origin()}${path}`, { agent: false, headers });
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  return { status: response.statusCode, text: await text(response) };
}

async function healthChecksCounted(): Promise<number> {
  const { text: metrics } = await get("/metrics", { authorization: `Bearer ${token}` });
  const [, count] = /^gatehouse_request_seconds_count\{.*"\/healthz".*\} (\d+)$/m.exec(metrics) ?? [];
  return Number(count);
}

async function askHealth(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) expect((await get("/healthz")).status).toBe(200);
}

/** The run of a chat that was answered whole; null if it was refused. */
async function chatOnce(body: object): Promise<string | null> {
  const headers = { authorization: `Bearer ${session}`, "content-type": "application/json" };
  const request = http.request(`${scene.url}/chat/completions`, { method: "POST", agent: false, headers });
  request.end(JSON.stringify(body));
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  const { id } = JSON.parse(await text(response)) as { id?: string };
  return response.statusCode === 200 ? (id ?? null) : null;
}

/** The processes behind the port, by role. */
function processes(): Record<"all" | "api", number[]> {
  const children = execFileSync("pgrep", ["-P", String(program.pid)], { encoding: "utf8" })
    .trim()
    .split("\n");
  const inRole = (role: string) =>
    children.map(Number).filter((pid) => environmentOf(pid).includes(`GATEWAY_ROLE=${role}`));
  return { all: inRole("all"), api: inRole("api") };
}

/** The worker's child processes for the sandbox. */
function mediaProcesses(): string[] {
  const found = spawnSync("pgrep", ["-P", String(processes().all[0]), "-f", "child/main"], {
    encoding: "utf8",
  });
  return found.stdout.split("\n").filter(Boolean);
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

async function query<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
  const client = new pg.Client(scene.connection());
  await client.connect();
  return (await client.query<Row>(statement).finally(() => client.end())).rows;
}

/** The processes that are registered in the database as alive. */
async function present(): Promise<string[]> {
  return (await query<{ id: string }>("select id from gateway_processes")).map(({ id }) => id);
}

async function startVideo(): Promise<string> {
  const video = { model: "svc/vid-t2v", prompt: "a lighthouse in the rain", duration: 2 };
  const { status, body } = await scene.call(session, "POST", "/videos", video);
  expect(status).toBe(202);
  await vi.waitFor(async () => expect(await statusOf(String(body.id))).toBe("processing"), soon);
  return String(body.id);
}

async function statusOf(id: string): Promise<unknown> {
  return (await scene.call(session, "GET", `/predictions/${id}`)).body.status;
}

/** Leases a row for longer than any test lasts. */
async function lease(id: string, owner: string): Promise<void> {
  await query(`update predictions set lease_owner = '${owner}', lease_expires_at = now() + interval '1 hour'
    where id = '${id}' and status = 'processing'`);
}

async function leased(owner: string): Promise<string[]> {
  const rows = await query<{ id: string }>(`select id from predictions where lease_owner = '${owner}'`);
  return rows.map(({ id }) => id);
}

/** Waits for the end of a prediction, and expects one end and one event. */
async function endsOnce(id: string): Promise<void> {
  await vi.waitFor(async () => {
    const [told] =
      await query(`select p.status, count(distinct e.id)::int as events, count(d.id)::int as deliveries,
        count(*) filter (where d.status = 'delivered')::int as delivered
      from predictions p left join webhook_events e on e.prediction_id = p.id
      left join webhook_deliveries d on d.event_id = e.id where p.id = '${id}' group by p.id`);
    expect(told).toEqual({ status: "succeeded", events: 1, deliveries: 1, delivered: 1 });
  }, film);
  const { body } = await scene.call(session, "GET", `/predictions/${id}`);
  const timeline = body.timeline as { event: string }[];
  expect(timeline.filter(({ event }) => event === "started")).toHaveLength(1);
}

async function kill(pid: number | undefined): Promise<void> {
  const before = await present();
  process.kill(pid ?? 0, "SIGKILL");
  await vi.waitFor(async () => {
    const now = await present();
    expect(now).toHaveLength(2);
    expect(now.filter((id) => !before.includes(id))).toHaveLength(1);
  }, soon);
}

it("two processes share the port, one of them works, and /metrics is their sum", async () => {
  expect(processes()).toMatchObject({ all: [expect.any(Number)], api: [expect.any(Number)] });
  const workers = await query("select from pg_locks where locktype = 'advisory' and objid = 7302114");
  expect(workers).toHaveLength(1);
  await askHealth(20);
  await vi.waitFor(async () => expect(await healthChecksCounted()).toBe(20), soon);
  expect(await healthChecksCounted()).toBe(20);
});

it(
  "a cancel ends the run, whichever process it reaches",
  async () => {
    for (let time = 0; time < 3; time += 1) {
      const id = await startVideo();
      await vi.waitFor(() => expect(mediaProcesses()).toHaveLength(1), soon);
      // A new connection may reach either process.
      const request = http.request(`${scene.url}/predictions/${id}/cancel`, {
        method: "POST",
        agent: false,
        headers: { authorization: `Bearer ${session}` },
      });
      const [response] = (await once(request.end(), "response")) as [http.IncomingMessage];
      expect(response.resume().statusCode).toBe(200);
      await vi.waitFor(() => expect(mediaProcesses()).toEqual([]), soon);
      expect(await statusOf(id)).toBe("canceled");
    }
  },
  minutes,
);

it(
  "a process that is killed under load is restarted; the other one keeps working, and no counter falls",
  async () => {
    const id = await startVideo();
    const foreign = await startVideo();
    await lease(foreign, elsewhere);
    const counted = await healthChecksCounted();
    const loading = new AbortController();
    let answered = 0;
    const load = async () => {
      while (!loading.signal.aborted)
        await get("/v1/regions").then(
          () => (answered += 1),
          () => {}, // the killed one had it in hand
        );
    };
    const loads = Promise.all([load(), load(), load(), load()]);
    const [worker] = processes().all;
    await kill(processes().api[0]);
    expect(processes().all).toEqual([worker]);
    const answeredBefore = answered;
    await vi.waitFor(() => expect(answered).toBeGreaterThan(answeredBefore + 20), soon);
    loading.abort();
    await loads;
    await askHealth(10);
    await vi.waitFor(async () => expect(await healthChecksCounted()).toBe(counted + 10), soon);
    await endsOnce(id);
    expect(await leased(elsewhere)).toEqual([foreign]);
  },
  minutes,
);

it(
  "a process that is killed while it keeps contents loses at most those of its last second, and no cost",
  async () => {
    const rule = { contents: { keep: "all" } };
    expect((await scene.call(session, "PATCH", "/account", rule)).status).toBe(200);
    const messages = [{ role: "user", content: "Which ship?" }];
    const answered = new Map<string, number>();
    const loading = new AbortController();
    const load = async () => {
      while (!loading.signal.aborted) {
        // On a new connection, so that both processes answer; the killed one breaks some.
        const id = await chatOnce({ model: "svc/chat-1", messages }).catch(() => null);
        if (id !== null) answered.set(id, Date.now());
      }
    };
    const loads = Promise.all([load(), load()]);
    const more = (count: number) => {
      const enough = answered.size + count;
      return vi.waitFor(() => expect(answered.size).toBeGreaterThan(enough), soon);
    };
    await more(60);
    const [killed] = processes().api;
    const killedAt = Date.now();
    await kill(killed);
    await more(20);
    loading.abort();
    await loads;
    const runs = [...answered.keys()];
    const without = async (column: string) => {
      const rows = await query<{ id: string }>(`select ${column}`);
      const found = new Set(rows.map(({ id }) => id));
      return runs.filter((id) => !found.has(id));
    };
    const isLate = (id: string) =>
      (answered.get(id) ?? 0) > killedAt - 1_000 && (answered.get(id) ?? 0) < killedAt + 100;
    await vi.waitFor(async () => {
      expect(await without("'gen_' || run as id from usage_lines")).toEqual([]);
      for (const column of ["id from contents", "run_id as id from request_logs where run_id is not null"])
        expect((await without(column)).filter((id) => !isLate(id))).toEqual([]);
    }, soon);
    await scene.call(session, "PATCH", "/account", { contents: { keep: "off" } });
  },
  minutes,
);

it(
  "when the worker is killed, its successor takes over its work, and no other process's work",
  async () => {
    const id = await startVideo();
    const [worker] = processes().all;
    const owner = (await present()).find((name) => name.includes(`:${worker}:`)) ?? "";
    expect(owner).not.toBe("");
    await lease(id, owner);
    await kill(worker);
    await endsOnce(id);
    expect(await leased(elsewhere)).toHaveLength(1);
  },
  minutes,
);

it(
  "when the supervisor is killed all processes end, and the next start takes over everything",
  async () => {
    expect(await leased(elsewhere)).toHaveLength(1);
    const { all, api } = processes();
    program.kill("SIGKILL");
    for (const pid of [...all, ...api]) await vi.waitFor(() => expect(environmentOf(pid)).toEqual([]), soon);
    await vi.waitFor(() => expect(get("/healthz")).rejects.toThrow("ECONNREFUSED"), soon);
    program = await scene.start();
    expect(await leased(elsewhere)).toEqual([]);
  },
  minutes,
);

it(
  "SIGTERM: load balancers notice it first, a running request is answered, then all processes end",
  async () => {
    const body = JSON.stringify({ model: "svc/chat-1", messages: [{ role: "user", content: "hello" }] });
    const request = http.request(`${scene.url}/chat/completions`, {
      method: "POST",
      agent: false,
      headers: {
        authorization: `Bearer ${session}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      },
    });
    request.write(body.slice(0, 10));
    const closed = (error: NodeJS.ErrnoException) => ({ status: error.code });
    const ready = async () => (await get("/readyz").catch(closed)).status;
    // Sent often enough that each process answers once: a process that never answered has no load balancer to
    // inform.
    for (let asked = 0; asked < 30; asked += 1)
      await vi.waitFor(async () => expect(await ready()).toBe(200), soon);
    program.kill("SIGTERM");
    const said = new Set<unknown>();
    await vi.waitFor(async () => {
      const now = await ready();
      said.add(now);
      expect(now).toBe("ECONNREFUSED");
    }, soon);
    expect(said).toContain(503);
    request.end(body.slice(10));
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.resume();
    expect(await once(program, "exit")).toEqual([0, null]);
  },
  minutes,
);

it(
  "the leases of a worker that dies during a database outage are freed as soon as the database is back",
  async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.close());
    const { user, database: name } = database.pool.options;
    const relay = await startRelay(database.pool.options);
    onTestFinished(() => relay.close());
    const supervisor = spawnProgram({
      GATEWAY_PROCESSES: "2",
      GATEWAY_HOST: "127.0.0.1",
      GATEWAY_PORT: String(await freePort()),
      GATEHOUSE_DATA_DIR: `${inject("testServer").folder}/away`,
      DATABASE_URL: `postgres://${user}@127.0.0.1:${relay.port}/${name}`,
      AUTH_SECRET: "a-secret-that-only-tests-know-0001",
      LOG_LEVEL: "silent",
    });
    onTestFinished(() => endProgram(supervisor, "SIGKILL"));
    expect(await answersSoon(supervisor)).toBe(true);
    const presentThere = async () => {
      const { rows } = await database.pool.query<{ id: string }>("select id from gateway_processes");
      return rows.map(({ id }) => id);
    };
    const [killed = ""] = await presentThere();
    relay.cut("refused");
    process.kill(Number(killed.split(":").at(-2)), "SIGKILL");
    // A new worker needs the database, so by then it has tried to connect.
    await vi.waitFor(() => expect(relay.refused).toBeGreaterThan(3), soon);
    expect(await presentThere()).toContain(killed);
    relay.restore();
    await vi.waitFor(async () => expect(await presentThere()).not.toContain(killed), { timeout: 25_000 });
  },
  minutes,
);

it(
  "a start waits for the port that a killed gateway's processes still hold",
  async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.close());
    const { host = "", user, database: name } = database.pool.options;
    const taken = createServer().listen({ port: 0, host: "127.0.0.1", reusePort: true });
    await once(taken, "listening");
    const supervisor = spawnProgram({
      GATEWAY_PROCESSES: "2",
      GATEWAY_HOST: "127.0.0.1",
      GATEWAY_PORT: String((taken.address() as AddressInfo).port),
      GATEHOUSE_DATA_DIR: `${inject("testServer").folder}/taken`,
      DATABASE_URL: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`,
      AUTH_SECRET: "a-secret-that-only-tests-know-0001",
      LOG_LEVEL: "warn",
    });
    onTestFinished(() => endProgram(supervisor, "SIGKILL"));
    supervisor.stdout?.on("data", (said: Buffer) => {
      if (said.includes("is taken; waiting")) taken.close();
    });
    expect(await answersSoon(supervisor)).toBe(true);
  },
  minutes,
);

it(
  "a problem that keeps a process from starting stops the start, and is reported once",
  async () => {
    const database = await createTestDatabase();
    const { host = "", user, database: name } = database.pool.options;
    const saidBy = async (settings: Record<string, string>) => {
      const failing = spawnProgram({
        GATEWAY_PROCESSES: "2",
        GATEWAY_HOST: "127.0.0.1",
        GATEHOUSE_DATA_DIR: `${inject("testServer").folder}/never-started`,
        DATABASE_URL: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`,
        AUTH_SECRET: "a-secret-that-only-tests-know-0001",
        LOG_LEVEL: "silent",
        ...settings,
      });
      const said = text(failing.stderr as NonNullable<typeof failing.stderr>);
      expect(await once(failing, "exit")).toEqual([1, null]);
      return (await said).trim().split("\n");
    };
    const taken = createServer().listen({ port: 0, host: "127.0.0.1", reusePort: true });
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    expect(await saidBy({ GATEWAY_PORT: String(port) })).toEqual([expect.stringContaining("EADDRINUSE")]);
    taken.close();
    expect(await saidBy({ GATEWAY_PORT: String(port), PROVIDERS_FILE: "/nowhere.json" })).toEqual([
      expect.stringContaining("/nowhere.json"),
      expect.stringContaining("ended with exit code 1 before it was ready"),
    ]);
    await database.close();
  },
  minutes,
);
