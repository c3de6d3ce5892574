import type { ChildProcess } from "node:child_process";
import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { expect, vi } from "vitest";
import type { Batch, BatchRow } from "#contract/batches.ts";
import { smallImage } from "../models/catalog/example-media.ts";
import { testKeys, writeProvidersFile } from "../models/providers/testing/mapped-gateway.ts";
import { sendJson, startUpstream, type UpstreamServer } from "../models/providers/testing/upstream-server.ts";
import { answersSoon, endProgram } from "./program.ts";
import { type ProgramScene, programScene } from "./program-scene.ts";
import { type Random, seededRandom } from "./random.ts";

const answerMs = 20;
/** The longest delay between one of the next upstream requests and the kill. */
const maxLaterMs = 50;
const settleMs = 300_000;
const image = smallImage.split(",")[1];
const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };

export interface BatchKills {
  kills: number;
  chats: number;
  /** Half of them are made by a sync operation, half by an async one. */
  pictures: number;
  concurrency: number;
}

/**
 * Kills the real program at random moments while batches run: each row runs once, and each batch ends with
 * one event.
 */
export async function batchKillSeries({ kills, chats, pictures, concurrency }: BatchKills): Promise<void> {
  const random = seededRandom(`batches, ${kills} kills`);
  const upstream = await startUpstream(async ({ path }, response) => {
    await after(answerMs);
    if (path.startsWith("/v1/images"))
      return sendJson(response, { created: 1, data: [{ b64_json: image }], usage });
    const message = { role: "assistant", content: "Done." };
    sendJson(response, { id: "chat", choices: [{ index: 0, message, finish_reason: "stop" }], usage });
  });
  const hosts = {
    protocol: "openai",
    base_url: `${upstream.origin}/v1`,
    credentials: {
      "us-virginia": { env: "TEST_UPSTREAM_KEY" },
      "sg-singapore": { env: "TEST_UPSTREAM_KEY" },
    },
  };
  const models = ["svc/chat-1", "svc/img-gen-a-1", "svc/img-gen-b"];
  const scene = await programScene({
    ...testKeys,
    PROVIDERS_FILE: writeProvidersFile({
      providers: { hosts },
      routes: models.map((model) => ({ models: [model], provider: "hosts", upstream_model: "upstream" })),
    }),
    REQUESTS_PER_MINUTE: "1000000",
    MAX_CONCURRENCY: "10000",
    WEBHOOK_BACKOFF_BASE_MS: "100",
  });
  const half = Math.ceil(pictures / 2);
  const named = (name: string, count: number, rest: object = {}) =>
    Array.from({ length: count }, (_, index) => ({ prompt: `${name} ${index + 1}`, ...rest }));
  const asked = { quality: "low", size: "1024x1024", output_format: "png" };
  const bodies = [
    { model: "svc/chat-1", rows: named("chat", chats) },
    { model: "svc/img-gen-a-1", api_type: "image-generation", rows: named("picture", half) },
    { model: "svc/img-gen-b", rows: named("later", half, asked) },
  ];
  try {
    let program = await scene.start();
    const { session } = await scene.signIn();
    const events = ["batch.finished"];
    await scene.call(session, "POST", "/webhooks/endpoints", { url: scene.receiver.url, events });
    const ids: string[] = [];
    for (const body of bodies) {
      const { body: batch } = await scene.call(session, "POST", "/batches", { ...body, concurrency });
      expect(batch).toMatchObject({ object: "batch", status: "running" });
      ids.push(String(batch.id));
    }
    for (let killed = 0; killed < kills; killed += 1) {
      await killUnderWay(program, upstream, Math.floor((chats + pictures) / (kills + 1)), random);
      program = scene.spawn();
      expect(await answersSoon(program)).toBe(true);
    }
    for (const id of ids) await expectEachRowOnce(scene, session, upstream, id, kills * concurrency);
    await expectOneEventEach(scene, ids);
  } finally {
    await scene.close();
    await upstream.close();
  }
}

/** Kills the program soon after some more requests to the upstream. */
async function killUnderWay(
  program: ChildProcess,
  upstream: UpstreamServer,
  maxRequests: number,
  random: Random,
): Promise<void> {
  const enough = upstream.seen.length + Math.floor(random() * maxRequests);
  await vi.waitFor(() => expect(upstream.seen.length).toBeGreaterThan(enough), {
    timeout: settleMs,
    interval: 5,
  });
  await after(random() * maxLaterMs);
  await endProgram(program, "SIGKILL");
}

async function expectEachRowOnce(
  scene: ProgramScene,
  session: string,
  upstream: UpstreamServer,
  id: string,
  maxFailed: number,
): Promise<void> {
  const batch = await vi.waitFor(
    async () => {
      const { body } = await scene.call(session, "GET", `/batches/${id}`);
      expect(body).toMatchObject({ status: "finished", counts: { queued: 0, running: 0, canceled: 0 } });
      return body as unknown as Batch;
    },
    { timeout: settleMs, interval: 200 },
  );
  const sent = new Map<string, number>();
  for (const request of upstream.created()) {
    const body = request.json();
    const [first] = (body.messages ?? []) as { content: string }[];
    const prompt = first?.content ?? String(body.prompt);
    sent.set(prompt, (sent.get(prompt) ?? 0) + 1);
  }
  const wrong: string[] = [];
  let succeeded = 0;
  for (let seen = 0; seen < batch.counts.total; ) {
    const { body } = await scene.call(session, "GET", `/batches/${id}/rows?limit=100&after=${seen}`);
    for (const { row, status, input, error } of body.data as BatchRow[]) {
      const times = sent.get(String(input?.prompt)) ?? 0;
      if (status === "succeeded") succeeded += 1;
      if (times > 1) wrong.push(`row ${row} was sent ${times} times`);
      if (status === "succeeded" && times !== 1) wrong.push(`row ${row} succeeded without having been sent`);
      if (status === "failed" && error?.code !== "upstream_outcome_unknown")
        wrong.push(`row ${row} failed with ${error?.code}`);
    }
    seen = Number(body.last_row);
  }
  expect(wrong).toEqual([]);
  expect(batch.counts.failed).toBeLessThanOrEqual(maxFailed);
  expect(await meteredRuns(scene, batch.model)).toBe(succeeded);
}

async function meteredRuns(scene: ProgramScene, model: string): Promise<number> {
  const client = new pg.Client(scene.connection());
  await client.connect();
  try {
    const { rows } = await client.query<{ runs: number }>(
      "select count(distinct run)::int as runs from usage_lines where model = $1",
      [model],
    );
    return rows[0]?.runs ?? 0;
  } finally {
    await client.end();
  }
}

async function expectOneEventEach(scene: ProgramScene, ids: string[]): Promise<void> {
  await vi.waitFor(
    () => {
      const events = new Map<unknown, string>();
      for (const { body } of scene.receiver.received) {
        const event = JSON.parse(body) as { id: string; type: string; data: { object: { id: string } } };
        if (event.type === "batch.finished") events.set(event.id, event.data.object.id);
      }
      expect([...events.values()].sort()).toEqual([...ids].sort());
    },
    { timeout: settleMs, interval: 100 },
  );
}
