import { setTimeout as after } from "node:timers/promises";
import { expect, vi } from "vitest";
import type { Batch, BatchRow } from "#contract/batches.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { smallImage } from "../models/catalog/example-media.ts";
import { testKeys, writeProvidersFile } from "../models/providers/testing/mapped-gateway.ts";
import { sendJson, startUpstream } from "../models/providers/testing/upstream-server.ts";
import { createTestDatabase } from "./database.ts";
import { makeFleet } from "./fleet.ts";
import { call } from "./gateway.ts";
import { programOwner } from "./program.ts";
import { type Absence, startRelay } from "./relay.ts";

/** The upstream is still working when the outage begins, and answers long before a long outage ends. */
const answerMs = 8_000;
/** Number of predictions, and of rows of the batch; half of the rows start after the outage. */
const runs = 20;
const rowsAtOnce = runs / 2;
const settleMs = 120_000;
/** A line of the log at level error or above. */
const errorLine = /"level":[56]0/;
const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };
const picture = { model: "svc/img-gen-b", quality: "low", size: "1024x1024", output_format: "png" };

/**
 * Cuts two workers and an API off from the database while an upstream answers, and checks that each run
 * succeeds and is sent to the upstream once.
 */
export async function answersInOutage(absence: Absence, awayMs: number): Promise<void> {
  const closings: (() => unknown)[] = [];
  try {
    await loseTheDatabase(absence, awayMs, (close) => closings.push(close));
  } finally {
    for (const close of closings.reverse()) await close();
  }
}

async function loseTheDatabase(
  absence: Absence,
  awayMs: number,
  onClose: (close: () => unknown) => void,
): Promise<void> {
  const upstream = await startUpstream(async ({ path: asked }, response) => {
    await after(answerMs);
    if (asked.startsWith("/v1/images"))
      return sendJson(response, { created: 1, data: [{ b64_json: smallImage.split(",")[1] }], usage });
    const message = { role: "assistant", content: "Done." };
    sendJson(response, { id: "chat", choices: [{ index: 0, message, finish_reason: "stop" }], usage });
  });
  onClose(() => upstream.close());
  const database = await createTestDatabase();
  onClose(() => database.close());
  const { user, database: name } = database.pool.options;
  const relay = await startRelay(database.pool.options);
  onClose(() => relay.close());

  const credential = { env: "TEST_UPSTREAM_KEY" };
  const credentials = { "us-virginia": credential, "sg-singapore": credential };
  const hosts = { protocol: "openai", base_url: `${upstream.origin}/v1`, credentials };
  const models = [picture.model, "svc/chat-1"];
  const fleet = makeFleet({
    ...testKeys,
    GATEHOUSE_DATA_DIR: newFolder("outage"),
    DATABASE_URL: `postgres://${user}@127.0.0.1:${relay.port}/${name}`,
    AUTH_SECRET: "a-secret-that-only-tests-know-0001",
    PROVIDERS_FILE: writeProvidersFile({
      providers: { hosts },
      routes: models.map((model) => ({ models: [model], provider: "hosts", upstream_model: "upstream" })),
    }),
    ...{ REQUESTS_PER_MINUTE: "1000000", MAX_CONCURRENCY: "10000", API_REQUESTS_PER_MINUTE: "1000000" },
  });
  onClose(() => fleet.close());
  const api = await fleet.start({ GATEWAY_ROLE: "api" });
  const workers = [
    await fleet.start({ GATEWAY_ROLE: "worker" }),
    await fleet.start({ GATEWAY_ROLE: "worker" }),
  ];
  const { body: session } = await call(api, null, "POST", "/account/sessions", programOwner);
  const send = (method: string, route: string, body?: object) =>
    call(api, String(session.token), method, route, body);

  const rows = Array.from({ length: runs }, (_, index) => ({ prompt: `row ${index + 1}` }));
  const batch = await send("POST", "/batches", { model: "svc/chat-1", rows, concurrency: rowsAtOnce });
  expect(batch.body).toMatchObject({ status: "running" });
  const ids: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    const { body } = await send("POST", "/images/generations", { ...picture, prompt: `picture ${run + 1}` });
    ids.push(String(body.id));
  }
  await vi.waitFor(() => expect(upstream.created().length).toBeGreaterThanOrEqual(runs + rowsAtOnce), {
    timeout: settleMs,
    interval: 10,
  });
  relay.cut(absence);
  await after(awayMs);
  relay.restore();

  await vi.waitFor(
    async () => {
      const { rows: ended } = await database.pool.query<{ code: string }>(
        "select coalesce(error->>'code', status) as code from predictions where completed_at is not null",
      );
      expect(ended.map(({ code }) => code)).toEqual(ids.map(() => "succeeded"));
      const { body } = await send("GET", `/batches/${batch.body.id}`);
      expect((body as unknown as Batch).counts).toMatchObject({ queued: 0, running: 0 });
    },
    { timeout: settleMs, interval: 500 },
  );
  const { body } = await send("GET", `/batches/${batch.body.id}/rows?limit=100`);
  const lost = (body.data as BatchRow[]).filter(({ status }) => status !== "succeeded");
  expect(lost.map(({ row, error }) => `row ${row}: ${error?.code}`)).toEqual([]);
  const prompts = upstream.created().map((request) => {
    const { messages, prompt } = request.json() as { messages?: { content: string }[]; prompt?: string };
    return messages?.[0]?.content ?? prompt;
  });
  const names = [...rows.map((row) => row.prompt), ...ids.map((_, run) => `picture ${run + 1}`)];
  expect(prompts.toSorted()).toEqual(names.toSorted());
  // An outage must not be logged as an error of the gateway.
  const faults = workers.flatMap(({ complaints }) => complaints.filter((line) => errorLine.test(line)));
  expect(faults).toEqual([]);
  const died = [api, ...workers].filter(
    ({ program }) => program.exitCode !== null || program.signalCode !== null,
  );
  expect(died.map(({ complaints }) => complaints.join("\n"))).toEqual([]);
}
