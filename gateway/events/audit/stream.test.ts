import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync, renameSync, truncateSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import Type from "typebox";
import { Compile } from "typebox/compile";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import type { AuditStreamConfig } from "#gateway/platform/core/audit-stream-config.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { readAuditOutbox } from "#gateway/platform/outbox/audit-outbox.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { sender, startTestGateway, type TestGateway } from "#gateway/testing/gateway.ts";
import { auditOutboxSweep, startAuditStream } from "./stream.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const send = sender(() => gateway);
beforeEach(async () => {
  gateway.logLines.length = 0;
  await gateway.context.database.pool.query("delete from audit_stream; delete from audit_outbox");
});
const secret = `whsec_${Buffer.from("twenty-four bytes and more").toString("base64")}`;

interface Event {
  event: { id: string; sequence: number; action: string };
  organization: { id: string; name?: string };
  [field: string]: unknown;
}

const linesOf = (text: string): Event[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Streams until the test ends, or until the returned function is called. */
async function stream(
  auditStream: AuditStreamConfig,
  of: TestGateway = gateway,
): Promise<() => Promise<void>> {
  const { config, database, log } = of.context;
  const started = startAuditStream({ config: { ...config, auditStream }, database, log });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopped ??= started?.stop();
    await stopped;
  };
  onTestFinished(stop);
  await expect.poll(() => readAuditOutbox(database)).not.toBeNull();
  return stop;
}

const toFile = (): AuditStreamConfig & { kind: "file" } => ({
  kind: "file",
  path: path.join(newFolder("audit"), "audit.jsonl"),
  retryMaxMs: 100,
});

const eventsIn = (file: string) => (existsSync(file) ? linesOf(readFileSync(file, "utf8")) : []);

const hasLeft = () =>
  expect
    .poll(async () => (await readAuditOutbox(gateway.context.database))?.waiting, { timeout: 10_000 })
    .toBe(0);

async function write(accountId: string, name: string): Promise<void> {
  const { queries } = gateway.context.database;
  await recordAudit(queries, { accountId, actor: null, action: "note.created", targetId: name });
}

const targetsOf = (events: readonly Event[]) =>
  events.map(({ gatehouse }) => (gatehouse as { target_id?: string }).target_id);

test("changes of every account and of operators arrive in order, with account, person, address and place in the stream", async () => {
  const to = toFile();
  await stream(to);
  const operator = await gateway.createAccount();
  const other = await gateway.createAccount();
  const made = await send(other.session, "POST", "/keys", { name: "deploy" });
  expect(made.status).toBe(201);
  const suspended = await send(operator.session, "POST", `/operator/accounts/${other.accountId}/suspension`, {
    reason: "Unpaid",
  });
  expect(suspended.status).toBeLessThan(300);
  await hasLeft();
  const events = eventsIn(to.path);
  expect(events.map(({ event }) => event.sequence)).toEqual(events.map((_, place) => place + 1));
  expect(events.at(-2)).toMatchObject({
    "@timestamp": expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
    ecs: { version: "8.17.0" },
    event: { action: "key.created", category: ["iam"], type: ["creation"], dataset: "gatehouse.audit" },
    organization: { id: other.accountId, name: expect.stringContaining("Account") },
    user: { id: other.userId },
    source: { ip: "127.0.0.1" },
    http: { request: { id: made.headers.get("x-request-id") } },
    gatehouse: { actor: { type: "user", id: other.userId }, target_id: made.body.id },
  });
  expect(events.at(-1)).toMatchObject({
    event: { action: "account.suspended", category: ["iam"], type: ["change"] },
    organization: { id: other.accountId },
  });
  const text = readFileSync(to.path, "utf8");
  for (const hidden of [String(made.body.secret), other.session, operator.session])
    expect(text).not.toContain(hidden);
});

test("transactions that overlap and commit late lose no event and change no order of one writer", async () => {
  const { accountId } = await gateway.createAccount();
  const to = toFile();
  await stream(to);
  const { database } = gateway.context;
  const isWritten = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const slow = database.transaction(async (queries) => {
    await recordAudit(queries, { accountId, actor: null, action: "note.created", targetId: "slow" });
    isWritten.resolve();
    await mayCommit.promise;
  });
  await isWritten.promise;
  await write(accountId, "quick");
  await expect.poll(() => targetsOf(eventsIn(to.path))).toEqual(["quick"]);
  mayCommit.resolve();
  await slow;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; n < 25; n += 1)
      await database.transaction(async (queries) => {
        const targetId = `${writer} ${n}`;
        await recordAudit(queries, { accountId, actor: null, action: "note.created", targetId });
        if ((n + writer) % 5 === 0) await queries.execute(sql`select pg_sleep(0.05)`);
      });
  });
  await database
    .transaction(async (queries) => {
      await recordAudit(queries, { accountId, actor: null, action: "note.created", targetId: "rolled back" });
      throw new Error("rolled back");
    })
    .catch(() => {});
  await Promise.all(writers);
  await hasLeft();
  const events = eventsIn(to.path);
  const targets = targetsOf(events);
  expect(targets.slice(0, 2)).toEqual(["quick", "slow"]);
  expect(new Set(targets).size).toBe(202);
  expect(targets).toHaveLength(202);
  expect(events.map(({ event }) => event.sequence)).toEqual(events.map((_, place) => place + 1));
  for (let writer = 0; writer < 8; writer += 1)
    expect(targets.filter((target) => target?.startsWith(`${writer} `))).toEqual(
      Array.from({ length: 25 }, (_, n) => `${writer} ${n}`),
    );
});

test("a batch that a killed process had written in part is completed, also after the file was renamed", async () => {
  const { accountId } = await gateway.createAccount();
  const to = toFile();
  const stop = await stream(to);
  const again = async () => {
    const stopAgain = await stream(to);
    await hasLeft();
    await stopAgain();
  };
  await write(accountId, "first");
  await hasLeft();
  await stop();
  const renamed = `${to.path}.1`;
  const { length } = readFileSync(to.path);
  // What is left of a process that was killed after 40 bytes of the batch: they follow the last recorded length.
  await write(accountId, "second");
  await again();
  const whole = readFileSync(to.path);
  const rewind = `update audit_stream set batch_id = 'again', batch_lines = $1, file = jsonb_set(file, '{length}', to_jsonb($2::int))`;
  const { pool } = gateway.context.database;
  for (const written of [0, 40, whole.length - length]) {
    truncateSync(to.path, length + written);
    await pool.query(rewind, [whole.subarray(length).toString(), length]);
    await again();
    expect(readFileSync(to.path).equals(whole)).toBe(true);
  }
  truncateSync(to.path, length + 40);
  await pool.query(rewind, [whole.subarray(length).toString(), length]);
  renameSync(to.path, renamed);
  await write(accountId, "third");
  await again();
  expect(readFileSync(renamed).equals(whole)).toBe(true);
  expect(targetsOf(eventsIn(to.path))).toEqual(["third"]);
  appendFileSync(to.path, "something else");
  await write(accountId, "fourth");
  await again();
  expect(readFileSync(to.path, "utf8").split("\n").slice(1, 3)).toEqual([
    "something else",
    expect.stringContaining('"fourth"'),
  ]);
});

interface Request {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver that keeps what it gets, and answers as told. */
async function startHttpReceiver(answer: (response: ServerResponse, at: number) => void) {
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    answer(response, requests.length);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?key=private` };
}

test("a webhook gets one signed document per batch, and after failures the same id and the same bytes", async () => {
  const { accountId } = await gateway.createAccount();
  const receiver = await startHttpReceiver((response, at) => {
    if (at < 3) response.writeHead(503, { "retry-after": "3600" }).end("full\u0007");
    else if (at === 3) response.destroy();
    else response.writeHead(200).end();
  });
  await stream({
    ...{ kind: "webhook", secret, url: receiver.url, headers: { authorization: "Splunk 1" } },
    ...{ timeoutMs: 5_000, retryMaxMs: 100 },
  });
  await write(accountId, "one");
  await write(accountId, "two");
  await expect.poll(() => receiver.requests.length, { timeout: 10_000 }).toBeGreaterThan(0);
  await expect
    .poll(() => readAuditOutbox(gateway.context.database))
    .toMatchObject({ error: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+: answered 503: full $/) });
  await hasLeft();
  const { requests } = receiver;
  const [first] = requests;
  const same = requests.slice(0, 4);
  expect(same.map(({ body }) => body)).toEqual(same.map(() => first?.body));
  expect(same.map(({ headers }) => headers["webhook-id"])).toEqual(
    same.map(() => first?.headers["webhook-id"]),
  );
  for (const { body, headers } of requests)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      id: headers["webhook-id"],
      type: "audit.batch",
    });
  expect(first?.headers.authorization).toBe("Splunk 1");
  const batches = new Map(
    requests.map(({ body, headers }) => [headers["webhook-id"], JSON.parse(body).data]),
  );
  expect(targetsOf([...batches.values()].flat())).toEqual(["one", "two"]);
  expect(await readAuditOutbox(gateway.context.database)).toMatchObject({
    error: null,
    waiting: 0,
    dropped: 0,
  });
  expect(gateway.logLines.join("")).not.toContain("key=private");
});

const closed = { additionalProperties: false } as const;
const Text = Type.Object({ stringValue: Type.String() }, closed);
const Attribute = Type.Object(
  {
    key: Type.String({ minLength: 1 }),
    value: Type.Union([Text, Type.Object({ intValue: Type.String({ pattern: "^\\d+$" }) }, closed)]),
  },
  closed,
);
const nanoseconds = Type.String({ pattern: "^\\d{19}$" });
/** `ExportLogsServiceRequest` in OTLP's JSON encoding, and nothing else. */
const ExportLogs = Compile(
  Type.Object(
    {
      resourceLogs: Type.Array(
        Type.Object(
          {
            resource: Type.Object({ attributes: Type.Array(Attribute) }, closed),
            scopeLogs: Type.Array(
              Type.Object(
                {
                  scope: Type.Object({ name: Type.String(), attributes: Type.Array(Attribute) }, closed),
                  logRecords: Type.Array(
                    Type.Object(
                      {
                        timeUnixNano: nanoseconds,
                        observedTimeUnixNano: nanoseconds,
                        severityNumber: Type.Literal(9),
                        severityText: Type.Literal("INFO"),
                        eventName: Type.String(),
                        body: Text,
                        attributes: Type.Array(Attribute),
                      },
                      closed,
                    ),
                  ),
                },
                closed,
              ),
            ),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
);

test("a collector gets OTLP logs that decode strictly; records that it refuses are logged and not sent again", async () => {
  const { accountId } = await gateway.createAccount();
  const receiver = await startHttpReceiver((response) =>
    response.end(JSON.stringify({ partialSuccess: { rejectedLogRecords: "1", errorMessage: "too old" } })),
  );
  await stream({ kind: "otlp", url: receiver.url, headers: {}, timeoutMs: 5_000, retryMaxMs: 100 });
  await write(accountId, "one");
  await hasLeft();
  expect(receiver.requests).toHaveLength(1);
  const body = JSON.parse(receiver.requests[0]?.body ?? "");
  expect([...ExportLogs.Errors(body)]).toEqual([]);
  const [record] = body.resourceLogs[0].scopeLogs[0].logRecords;
  expect(record).toMatchObject({ eventName: "note.created" });
  expect(JSON.parse(record.body.stringValue)).toMatchObject({ organization: { id: accountId } });
  expect(record.timeUnixNano).toBe(`${Date.parse(JSON.parse(record.body.stringValue)["@timestamp"])}000000`);
  expect(gateway.logLines.join("")).toContain("too old");
});

test("events wait for a receiver that is away, survive the removal of their account and rows, and are dropped after the named days with a gap of as many numbers", async () => {
  const { accountId } = await gateway.createAccount();
  const { context } = gateway;
  const { pool } = context.database;
  const operator = await gateway.createAccount();
  await pool.query("update users set is_operator = true where id = $1", [operator.userId]);
  const missing = path.join(newFolder("audit"), "later", "audit.jsonl");
  const to: AuditStreamConfig = { kind: "file", path: missing, retryMaxMs: 100 };
  const stop = await stream(to);
  await write(accountId, "in hand");
  await expect
    .poll(() => readAuditOutbox(context.database), { timeout: 10_000 })
    .toMatchObject({ waiting: 1, error: expect.stringContaining("ENOENT") });
  await stop();
  await pool.query("update audit_stream set batch_at = now() - interval '16 minutes'");
  const health = await send(operator.session, "GET", "/operator/health");
  expect(health.body.audit_stream).toMatchObject({ late: true, error: expect.stringContaining("ENOENT") });
  await write(accountId, "dropped");
  await write(accountId, "dropped, too");
  await pool.query("update audit_outbox set created_at = now() - interval '31 days'");
  await write(accountId, "kept");
  await pool.query("delete from accounts where id = $1", [accountId]);
  expect(await auditOutboxSweep.run(context)).toBe(false);
  expect(await readAuditOutbox(context.database)).toMatchObject({ waiting: 2, dropped: 2 });
  const { rows: causes } = await pool.query(
    "select data from notice_causes where cause = 'audit_stream.behind'",
  );
  expect(causes).toEqual([{ data: { dropped: 2, error: expect.stringContaining("ENOENT") } }]);
  const found = toFile();
  await stream(found);
  await hasLeft();
  const events = eventsIn(found.path);
  expect(events.map(({ event, organization }) => [event.sequence, organization.id])).toEqual([
    [1, accountId],
    [4, accountId],
  ]);
  expect(targetsOf(events)).toEqual(["in hand", "kept"]);
});

test("a batch that the receiver never takes is dropped after the named days, and holds up no others", async () => {
  const { accountId } = await gateway.createAccount();
  const { database } = gateway.context;
  const receiver = await startHttpReceiver((response, at) => {
    const isRefused = receiver.requests[at - 1]?.body.includes('"refused"');
    response.writeHead(isRefused ? 400 : 200).end();
  });
  await stream({
    ...{ kind: "webhook", secret, url: receiver.url, headers: {} },
    timeoutMs: 5_000,
    retryMaxMs: 100,
  });
  await write(accountId, "refused");
  await expect
    .poll(() => readAuditOutbox(database))
    .toMatchObject({ waiting: 1, error: expect.stringContaining("answered 400") });
  await database.pool.query("update audit_stream set batch_at = now() - interval '31 days'");
  expect(await auditOutboxSweep.run(gateway.context)).toBe(false);
  await write(accountId, "next");
  await hasLeft();
  expect(await readAuditOutbox(database)).toMatchObject({ dropped: 1, error: null });
  const { data } = JSON.parse(receiver.requests.at(-1)?.body ?? "");
  expect(data.map(({ event }: Event) => event.sequence)).toEqual([2]);
  expect(targetsOf(data)).toEqual(["next"]);
});

test("a stream that no process has in its settings ends after the named days, and nothing is copied any more", async () => {
  const { accountId } = await gateway.createAccount();
  const stop = await stream(toFile());
  await stop();
  const { database } = gateway.context;
  await database.pool.query("update audit_stream set seen_at = now() - interval '31 days'");
  await auditOutboxSweep.run(gateway.context);
  await write(accountId, "not copied");
  expect(await readAuditOutbox(database)).toBeNull();
  expect((await database.pool.query("select from audit_outbox")).rowCount).toBe(0);
});
