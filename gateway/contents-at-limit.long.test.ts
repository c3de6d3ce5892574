import { rmSync } from "node:fs";
import pg from "pg";
import { pino } from "pino";
import { expect, it, vi } from "vitest";
import { firstIdAt, newId, ulidOf } from "#contract/ids.ts";
import {
  contentAgeSweep,
  contentDaySweep,
  contentLimitSweep,
  erasedContentSweep,
} from "#gateway/access/contents/sweeps.ts";
import {
  providerAt,
  testKeys,
  writeProvidersFile,
} from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { gatewayRole, superuser } from "#gateway/platform/database/embedded/cluster.ts";
import { startEmbedded } from "#gateway/platform/database/embedded/embedded.ts";
import { connect } from "#gateway/platform/database/open.ts";
import { contentDays, firstKeyAt } from "#gateway/platform/database/partitions.ts";
import { figureFoldSweep } from "#gateway/platform/figures/fold.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { webhooksTo } from "#gateway/testing/config.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { fillLists } from "#gateway/testing/full-lists.ts";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";
import { newRunFolder } from "#gateway/testing/leftovers.ts";
import { databasesFolder } from "#gateway/testing/memory-folder.ts";
import { copyMigratedCluster, migratedTemplate } from "#gateway/testing/migrated-cluster.ts";
import { startReceiver } from "#gateway/testing/receiver.ts";

/*
 * An account at the limit of its contents, where calls remove older ones: every other figure is within 3 % of what it is
 * where nothing is kept. Figures are what PostgreSQL counts of the same work on two copies of one database.
 */

const allowed = 0.03;
/** As many pages more or less say where the last rows lie, and not how many are read. */
const allowedPages = 2;
const listRows = 20_000;
const keptCalls = 100_000;
const keptDays = 5;
const bytesPerCall = 600;
/** Of each figure. Before them the work is done so often that all connections know its tables. */
const [readings, before] = [7, 3];

/** These indexes have only the log's lines of kept calls, so they belong to the contents. */
const indexesOfKept = ["request_logs_contents", "request_logs_conversation"];
/** Leases of limits, the health of upstreams and the bytes that an account stores follow the clock, not the calls. */
const byClock = /\b(limit_slots|limit_rates|upstream_health)|^select "account_storage"/;

const dayMs = 86_400_000;
const nowMs = Date.now();
const soon = { timeout: 60_000, interval: 20 };
const silent = pino({ level: "silent" });
const seeded = "seeded";
/** What the kept calls take. */
const bytesPerAccount = keptCalls * bytesPerCall;

/** A server of its own, which counts what each statement needs. */
const server = shared(async () => {
  const folder = newRunFolder(databasesFolder());
  await copyMigratedCluster(folder);
  const settings = {
    ...{ fsync: "off", full_page_writes: "off", autovacuum: "off", max_wal_size: "4GB" },
    ...{ shared_preload_libraries: "pg_stat_statements", "pg_stat_statements.track_utility": "off" },
    // Else a statement's plan depends on how often its connection had it before.
    plan_cache_mode: "force_custom_plan",
  };
  const { connection, stop } = await startEmbedded({ dataDir: folder, log: silent, mode: "own", settings });
  return {
    host: connection.host,
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
const receiver = shared(async () => {
  const authority = await makeAuthority(newFolder("receiver"));
  return Object.assign(await startReceiver(authority.local), { authority });
});
const upstream = shared(startOpenAiServer);
/** The account of both copies. */
const account = shared(seed);
const without = shared(() => openScene("keeps_none", false));
const atLimit = shared(async () => {
  const scene = await openScene("at_limit", true);
  await splitDays(scene);
  scene.gateway.context.config.contents = { maxDays: 30, bytesPerAccount };
  await fill(scene);
  return scene;
});

/** Makes the database that is copied: an account with full lists and an endpoint. */
async function seed(): Promise<TestAccount> {
  await copyDatabase(migratedTemplate, seeded);
  await asSuperuser(seeded, (client) =>
    client.query("create extension pg_stat_statements; create extension pg_walinspect"),
  );
  const gateway = await startOn(seeded);
  const made = await gateway.createAccount();
  await fillLists(gateway.context.database.pool, made.accountId, listRows);
  const endpoint = { url: receiver.url, events: ["prediction.succeeded"] };
  const { status } = await call(gateway, made.session, "POST", "/webhooks/endpoints", endpoint);
  expect(status).toBe(201);
  await gateway.close();
  return made;
}

/** A gateway on a copy. */
interface Scene {
  gateway: TestGateway;
  keeps: boolean;
  admin: pg.Client;
  close(): Promise<void>;
}

async function openScene(name: string, keeps: boolean): Promise<Scene> {
  await copyDatabase(seeded, name);
  const admin = new pg.Client({ ...addressOf(name), user: superuser });
  await admin.connect();
  const gateway = await startOn(name);
  // A new connection reads the catalogue of each table.
  gateway.context.database.pool.options.idleTimeoutMillis = 0;
  const scene: Scene = {
    ...{ gateway, keeps, admin },
    async close() {
      await gateway.close();
      await admin.end();
    },
  };
  await send(scene, "PATCH", "/account", { contents: { keep: keeps ? "all" : "off" } });
  return scene;
}

async function startOn(database: string): Promise<TestGateway> {
  Object.assign(process.env, testKeys);
  const providersFile = writeProvidersFile({
    providers: { main: providerAt(upstream) },
    routes: [
      { models: ["svc/chat-1"], provider: "main", upstream_model: "chat" },
      { models: ["svc/img-gen-b"], provider: "main", upstream_model: "gpt-image" },
    ],
  });
  const config = {
    ...{ providersFile, webhooks: webhooksTo(receiver.port, receiver.authority) },
    // The seeded rows are old.
    ...{ historyDays: 0, auditDays: 0 },
  };
  return startTestGateway(config, null, await connect(addressOf(database), silent));
}

const addressOf = (database: string) => ({ host: server.host, user: gatewayRole, database });

const copyDatabase = (from: string, to: string) =>
  asSuperuser("postgres", (client) =>
    client.query(`create database ${to} template ${from} owner ${gatewayRole} strategy file_copy`),
  );

async function asSuperuser(database: string, run: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ ...addressOf(database), user: superuser });
  await client.connect();
  await run(client).finally(() => client.end());
}

async function send(
  { gateway }: Scene,
  method: string,
  path: string,
  body?: unknown,
  bearer = account.session,
) {
  const answer = await call(gateway, bearer, method, path, body);
  expect([answer.status < 300, path, answer.body]).toEqual([true, path, answer.body]);
  return answer;
}

async function until({ admin }: Scene, condition: string, values: unknown[] = []): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await admin.query<{ met: boolean }>(`select ${condition} as met`, values);
    if (!rows[0]?.met) throw new Error(`not yet: ${condition} for ${values}`);
  }, soon);
}

type Work = (scene: Scene) => Promise<unknown>;

const get =
  (path: string): Work =>
  (scene) =>
    send(scene, "GET", path);

const isRecorded = `exists (select from request_logs where run_id = $1) and exists (select from usage_lines where run = $2)`;
const recorded = (scene: Scene, runId: string) => until(scene, isRecorded, [runId, ulidOf(runId)]);
const kept = (scene: Scene, runId: string) =>
  until(scene, "exists (select from contents where id = $1)", [runId]);

const sentence = "What calls said is kept beside everything else that is written. ";
const prompt = { role: "user", content: sentence.repeat(30) };

/** Until everything that follows from it is written, but for its contents. */
async function chat(scene: Scene): Promise<string> {
  const body = { model: "svc/chat-1", messages: [prompt] };
  const { id } = (await send(scene, "POST", "/chat/completions", body, account.key)).body;
  await recorded(scene, String(id));
  return String(id);
}

async function keptChat(scene: Scene): Promise<void> {
  const id = await chat(scene);
  if (scene.keeps) await kept(scene, id);
}

async function prediction(scene: Scene): Promise<void> {
  const body = {
    model: "svc/img-gen-b",
    prompt: "waves",
    quality: "low",
    size: "1024x1024",
    output_format: "png",
  };
  const { id } = (await send(scene, "POST", "/images/generations", body, account.key)).body;
  const isDelivered =
    "exists (select from webhook_deliveries where prediction_id = $1 and status = 'delivered')";
  await until(scene, isDelivered, [id]);
  await recorded(scene, String(id));
}

/** What any request does, with its line in the log. */
async function anyRequest(scene: Scene): Promise<void> {
  const { headers } = await send(scene, "GET", "/regions");
  await until(scene, "exists (select from request_logs where id = $1)", [headers.get("x-request-id")]);
}

const writes: [string, Work][] = [
  ["any request", anyRequest],
  ["a chat", keptChat],
  ["a prediction and its delivery", prediction],
];
const reads: [string, Work][] = [
  ["requests", get("/requests?limit=100")],
  ["requests of runs", get("/requests?limit=100&runs=true")],
  ["requests by model", get("/requests?limit=100&model=svc/common")],
  ["requests, counted", get("/requests?limit=100&count=true")],
  ["predictions", get("/predictions?limit=100")],
  ["predictions by model", get("/predictions?limit=100&model=svc/img-gen-b")],
  ["search of predictions", get("/search?q=waves")],
  ["deliveries", get("/webhooks/deliveries?limit=100")],
  ["uploads", get("/uploads?limit=100")],
  ["outputs", get("/outputs?limit=100")],
  ["audit log", get("/audit_logs?limit=100")],
  ["usage", get("/usage")],
  ["activity", get("/activity")],
  ["activity by key", get("/activity?group_by=key")],
  ["summary", get("/summary")],
  ["notices", get("/notices")],
];

/** How often each thing was done, and how many pages or bytes that took. */
type Counted = Map<string, { times: number; amount: number }>;

const [asked, written, entry, count] = ["asked: ", "written: ", "entry of a kept line", "count: "];

/** The text of each statement, whose places for values PostgreSQL does not always number alike. */
const texts = new Map<string, string>();
const textOf = (name: string): string => texts.get(name) ?? name;

async function reading(scene: Scene, work: Work): Promise<Counted> {
  const { admin } = scene;
  const counts = countsOfGateway();
  const start = await endOfLog(admin);
  await admin.query("select pg_stat_statements_reset()");
  await work(scene);
  const statements = await admin.query<{ name: string; text: string; times: number; amount: number }>(
    `select concat('${asked}', queryid) as name, min(query) as text, sum(calls)::int as times,
       sum(shared_blks_hit + shared_blks_read)::int as amount
     from pg_stat_statements where userid = $1::regrole
       and dbid = (select oid from pg_database where datname = current_database()) group by queryid`,
    [gatewayRole],
  );
  const rows = await admin.query<{ name: string; times: number; amount: number }>(
    `with tables as (
       select relid::oid as id from pg_partition_tree('contents') union all select 'content_keys'::regclass
     ), parts as (
       select id from tables union all select reltoastrelid from tables join pg_class on oid = id
     ), own as (
       select id from parts union all select indexrelid from parts join pg_index on indrelid = id
     )
     select case when relname = any ($3) then '${entry}'
         else concat_ws(' ', '${written}' || resource_manager, regexp_replace(record_type, 'HOT_|_LEAF|_POST|[+].*', '', 'g'), relname) end as name,
       count(*)::int as times, sum(record_length)::int as amount
     from pg_get_wal_block_info($1, $2) wal left join pg_class on pg_relation_filenode(oid) = wal.relfilenode
     where block_id = 0 and record_type not like 'FPI%' and oid not in (select id from own)
       and reldatabase = (select oid from pg_database where datname = current_database()) group by 1`,
    [start, await endOfLog(admin), indexesOfKept],
  );
  for (const { name, text } of statements.rows) if (!texts.has(name)) texts.set(name, text);
  const counted: Counted = new Map([...statements.rows, ...rows.rows].map(({ name, ...one }) => [name, one]));
  for (const [name, value] of countsOfGateway()) {
    const times = value - (counts.get(name) ?? 0);
    if (times > 0) counted.set(name, { times, amount: 0 });
  }
  return counted;
}

/** The end of PostgreSQL's log. Everything before it is written. */
async function endOfLog(admin: pg.Client): Promise<string | undefined> {
  await admin.query("select pg_logical_emit_message(true, 'test', '')");
  const { rows } = await admin.query<{ end: string }>("select pg_current_wal_flush_lsn() as end");
  return rows[0]?.end;
}

/** What the gateway counts itself. */
function countsOfGateway(): Map<string, number> {
  const others = Object.values(counters).filter((counter) => counter !== counters.contents);
  return new Map(
    others.flatMap((counter) =>
      counter
        .values()
        .map(({ labels, value }) => [`${count}${counter.name} ${JSON.stringify(labels)}`, value] as const),
    ),
  );
}

/**
 * What most readings have, each with its lowest numbers: what is done beside the work only adds, as does a connection
 * that is new, and a full page or a split of one is not in most of them.
 */
function usual(all: readonly Counted[]): Counted {
  const names = [...new Set(all.flatMap((one) => [...one.keys()]))];
  return new Map(
    names.flatMap((name) => {
      const found = all.flatMap((one) => one.get(name) ?? []);
      if (found.length <= all.length / 2) return [];
      const [times, amount] = [
        Math.min(...found.map((one) => one.times)),
        Math.min(...found.map((one) => one.amount)),
      ];
      return [[name, { times, amount }] as const];
    }),
  );
}

function figuresOf(counted: Counted, without: ReadonlySet<string>) {
  const sum = (kind: string, part: "times" | "amount") =>
    [...counted].reduce(
      (total, [name, one]) =>
        name.startsWith(kind) && !without.has(name) && !byClock.test(textOf(name))
          ? total + one[part]
          : total,
      0,
    );
  return {
    statements: sum(asked, "times"),
    // Such an index has one page here, so an entry reads one.
    pages: sum(asked, "amount") - sum(entry, "times"),
    rows: sum(`${written}Heap `, "times"),
    bytes: sum(written, "amount"),
    counts: sum(count, "times"),
  };
}
type Figures = ReturnType<typeof figuresOf>;

/** Names of what is done beside the measured work. */
interface Beside {
  writes: Set<string>;
  reads: Set<string>;
}

/** Adds up the figures of the last seconds, as a sweep does every half minute. */
async function fold({ gateway, admin }: Scene): Promise<void> {
  await sweepAll(gateway.context, figureFoldSweep);
  await admin.query("vacuum figure_additions");
}

/** What a gateway does without calls, and with any request. */
async function lookBeside(scene: Scene, beside: Beside): Promise<void> {
  const polls =
    "(select sum(calls) >= 4 from pg_stat_statements where query like '%from \"webhook_resends\"%')";
  for (const name of (await reading(scene, () => until(scene, polls))).keys()) {
    beside.writes.add(name);
    beside.reads.add(name);
  }
  for (const name of (await reading(scene, anyRequest)).keys()) beside.reads.add(name);
}

/** Reads all figures; at the limit older contents are removed beside each work that writes. */
async function measure(scene: Scene, beside: Beside): Promise<Map<string, Counted>> {
  const all = new Map<string, Counted>();
  const repeat = async (works: readonly [string, Work][], once: (work: Work) => Promise<Counted>) => {
    for (let turn = 0; turn < before; turn += 1) for (const [, work] of works) await once(work);
    for (const [name, work] of works) {
      const found: Counted[] = [];
      while (found.length < readings) found.push(await once(work));
      all.set(name, usual(found));
    }
  };
  await anyRequest(scene);
  await lookBeside(scene, beside);
  // First, because a list depends on where the rows of the last calls lie.
  await repeat(reads, async (work) => {
    await fold(scene);
    return reading(scene, work);
  });
  await repeat(writes, async (work) => {
    if (!scene.keeps) return reading(scene, work);
    await fill(scene);
    const counted = await reading(scene, () =>
      Promise.all([work(scene), contentLimitSweep.run(scene.gateway.context)]),
    );
    expect(await keptBytes(scene)).toBeLessThan(bytesPerAccount);
    return counted;
  });
  return all;
}

/** Contents of earlier days, as many on each. */
async function addContents({ gateway }: Scene, first: number, perDay: number): Promise<void> {
  for (let day = keptDays; day >= 1; day -= 1) {
    const start = firstIdAt("generation", nowMs - day * dayMs).slice(0, -10);
    await gateway.context.database.pool.query(
      `insert into contents (id, account_id, at, request_id, key_id, model, api_type, is_stored, content_key, secret,
         opening, sealed, size_bytes)
       select $1 || lpad(n::text, 10, '0'), $2, now() - $3 * interval '1 day', 'req_' || n, 'key_1', 'svc/chat-1',
         'chat-completions', false, (select id from content_keys where account_id = $2), decode(repeat('00', 76), 'hex'),
         decode(repeat('00', 60), 'hex'), decode(repeat('00', ${bytesPerCall}), 'hex'), ${bytesPerCall} from generate_series($4::int, $5::int) n`,
      [start, account.accountId, day, first, first + perDay - 1],
    );
  }
}

/** Gives each of the earlier days its partition, as if the gateway had run for days. */
async function splitDays({ gateway }: Scene): Promise<void> {
  const { pool } = gateway.context.database;
  const { rows } = await pool.query<{ end: string }>(
    `select substring(pg_get_expr(relpartbound, oid) from 'TO [(]''(.+)''[)]') as end from pg_class where relname = 'contents_first'`,
  );
  const ends = Array.from({ length: keptDays + 1 }, (_, at) =>
    firstKeyAt(contentDays, nowMs - (keptDays - at) * dayMs - 1_000),
  );
  const last = rows[0]?.end ?? "";
  const bounds = [...ends.filter((end) => end < last), last];
  await pool.query("alter table contents detach partition contents_first");
  await pool.query(
    `alter table contents attach partition contents_first for values from (minvalue) to ('${bounds[0]}')`,
  );
  for (const [at, end] of bounds.slice(1).entries())
    await pool.query(
      `create table contents_past_${at} partition of contents for values from ('${bounds[at]}') to ('${end}')`,
    );
}

const keptBytes = async ({ admin }: Scene) => {
  const { rows } = await admin.query<{ bytes: string }>("select kept_bytes as bytes from content_keys");
  return Number(rows[0]?.bytes);
};
let addedPerDay = 0;
/** Brings the account beyond its limit. The gateway's own sweep waits until `beforeIt` has ended, too. */
async function fill(scene: Scene, beforeIt: () => Promise<unknown> = async () => {}): Promise<void> {
  const { admin } = scene;
  await admin.query("begin; select from content_keys for update");
  const { rows } = await admin.query<{ calls: number }>("select count(*)::int as calls from contents");
  const perDay = Math.ceil((keptCalls - (rows[0]?.calls ?? 0)) / keptDays) + 1;
  await addContents(scene, addedPerDay, perDay);
  addedPerDay += perDay;
  await beforeIt();
  await admin.query("update content_keys set kept_bytes = (select sum(size_bytes) from contents); commit");
}

/** What writing and removing contents asks when no call is made. */
async function statementsOfContents(scene: Scene): Promise<string[]> {
  const { context } = scene.gateway;
  const counted = await reading(scene, async () => {
    await fill(scene);
    context.contents.add({
      ...{
        id: newId("generation"),
        accountId: account.accountId,
        requestId: null,
        keyId: null,
        userId: null,
      },
      ...{ model: "svc/chat-1", apiType: "chat-completions", isStored: false, metadata: null, weight: 1 },
      read: () => ({ text: "{}", opening: "" }),
    });
    await context.contents.flush();
    for (const sweep of [contentLimitSweep, contentAgeSweep, contentDaySweep, erasedContentSweep])
      await sweep.run(context);
  });
  return [...counted.keys()].filter((name) => name.startsWith(asked));
}

/** The figures that differ, each with the things in which it does. */
function differences(one: Counted, other: Counted, ignored: ReadonlySet<string>): string[] {
  const [usually, now] = [figuresOf(one, ignored), figuresOf(other, ignored)];
  const figures = (Object.keys(usually) as (keyof Figures)[]).filter((figure) => {
    const most = Math.max(allowed * usually[figure], figure === "pages" ? allowedPages : 0);
    return Math.abs(now[figure] - usually[figure]) > most;
  });
  if (figures.length === 0) return [];
  const text = (counted: Counted, name: string) => {
    const { times = 0, amount = 0 } = counted.get(name) ?? {};
    return `${times} × (${amount})`;
  };
  return [
    ...figures.map((figure) => `${figure}: ${usually[figure]} without, ${now[figure]} at the limit`),
    ...[...new Set([...one.keys(), ...other.keys()])]
      .filter(
        (name) => !ignored.has(name) && !byClock.test(textOf(name)) && text(one, name) !== text(other, name),
      )
      .map((name) => `${text(one, name)} without, ${text(other, name)} at the limit: ${textOf(name)}`),
  ];
}

it("contents at their limit leave every other figure within 3 %", async () => {
  const beside: Beside = { writes: new Set(), reads: new Set() };
  const found = await measure(without, beside);
  const ofContents = await statementsOfContents(atLimit);
  const foundAtLimit = await measure(atLimit, beside);
  const compare = (works: readonly [string, Work][], ignored: ReadonlySet<string>) =>
    works.map(([name]) => {
      const [one = new Map(), other = new Map()] = [found.get(name), foundAtLimit.get(name)];
      return [name, differences(one, other, ignored)];
    });
  const figures = [
    ...compare(reads, beside.reads),
    ...compare(writes, new Set([...beside.writes, ...ofContents])),
  ];
  expect(Object.fromEntries(figures)).toEqual(Object.fromEntries(figures.map(([name]) => [name, []])));
});

it("no answer, and nothing else that is written, waits while older contents are removed", async () => {
  const holder = new pg.Client({ ...addressOf("at_limit"), user: superuser });
  await holder.connect();
  await fill(atLimit, () =>
    holder.query("begin; select from contents where id = (select min(id) from contents) for update"),
  );
  const removal = contentLimitSweep.run(atLimit.gateway.context);
  const waits =
    "exists (select from pg_stat_activity where pg_backend_pid() <> pid and $1 = any (pg_blocking_pids(pid)))";
  const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
  await until(atLimit, waits, [rows[0]?.pid]);
  const runs = [await chat(atLimit), await chat(atLimit)];
  await prediction(atLimit);
  const { rows: states } = await atLimit.admin.query(
    `select ${waits} as waits, exists (select from contents where id = any ($2)) as keeps`,
    [rows[0]?.pid, runs],
  );
  expect(states).toEqual([{ waits: true, keeps: false }]);
  await holder.end();
  await removal;
  for (const run of runs) await kept(atLimit, run);
  expect(await keptBytes(atLimit)).toBeLessThan(bytesPerAccount);
});
