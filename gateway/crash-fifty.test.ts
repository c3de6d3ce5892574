import type { ChildProcess } from "node:child_process";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testKeys, writeProvidersFile } from "./providers/testing/mapped-gateway.ts";
import { type ReplicateServer, startReplicateServer } from "./providers/testing/replicate-server.ts";
import { answersSoon, endProgram } from "./testing/program.ts";
import { outcomes } from "./testing/program-outcomes.ts";
import { type ProgramScene, programScene } from "./testing/program-scene.ts";

const kills = 50;
/** Every so many rounds it dies once more, while it starts. */
const startKillEvery = 5;
const startMs = 1000;
/** Otherwise it dies this soon after one of the first answers. */
const maxAnswers = 8;
const maxLaterMs = 50;
const settleMs = 60_000;
const clients = 3;
const picture = {
  model: "svc/img-gen-b",
  prompt: "a lighthouse",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};

let upstream: ReplicateServer;
let scene: ProgramScene;
/** What was answered with 202, and what the answer to a cancel confirmed. */
const accepted = new Set<string>();
const canceled = new Set<string>();

beforeAll(async () => {
  upstream = await startReplicateServer();
  upstream.polls = 0;
  upstream.end = { status: "succeeded", output: [`${upstream.origin}/files/out.png`] };
  const hosts = {
    protocol: "replicate",
    base_url: `${upstream.origin}/v1`,
    credentials: { "us-virginia": { env: "TEST_UPSTREAM_KEY" } },
  };
  scene = await programScene({
    ...testKeys,
    PROVIDERS_FILE: writeProvidersFile({
      providers: { hosts },
      routes: [{ models: [picture.model], provider: "hosts", upstream_model: "acme/picture" }],
    }),
    REQUESTS_PER_MINUTE: "1000000",
    MAX_CONCURRENCY: "10000",
    WEBHOOK_BACKOFF_BASE_MS: "100",
    WEBHOOK_BACKOFF_FACTOR: "1",
  });
  scene.receiver.answer((_one, response) => {
    setTimeout(() => response.writeHead(204).end(), Math.random() * 30);
  });
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

it("killed fifty times at any moment, every prediction ends once and its event is delivered", async () => {
  // One that ends in peace leaves its compiled code for the others.
  await endProgram(await scene.start(), "SIGTERM");
  let program = await scene.start();
  const { session } = await scene.signIn();
  for (let killed = 0; killed < kills; ) {
    await users(session, program);
    killed += 1;
    program = scene.spawn();
    if (killed % startKillEvery === 0 && killed < kills) {
      await after(Math.random() * startMs);
      await endProgram(program, "SIGKILL");
      killed += 1;
      program = scene.spawn();
    }
    expect(await answersSoon(program)).toBe(true);
  }
  const ended = await outcomes(scene.socketDir(), settleMs);
  expect(accepted.size).toBeGreaterThan(kills);
  expect(ended.filter((row) => row.events !== 1 || row.delivered !== 1 || row.deliveries !== 1)).toEqual([]);
  const statusOf = new Map(ended.map((row) => [row.id, row.status]));
  expect([...accepted].filter((id) => !statusOf.has(id))).toEqual([]);
  expect([...canceled].filter((id) => statusOf.get(id) !== "canceled")).toEqual([]);
  expect(new Set(statusOf.values())).toContain("succeeded");
  const arrived = new Set(scene.receiver.received.map((one) => one.headers["x-svc-event-id"]));
  expect(ended.filter((row) => !arrived.has(row.event_id ?? ""))).toEqual([]);
}, 900_000);

/** Users who order, and cancel every third order, until nobody answers: the program is killed meanwhile. */
async function users(session: string, program: ChildProcess): Promise<void> {
  let before = Math.floor(Math.random() * maxAnswers);
  let killed: Promise<void> | null = null;
  const ask = async (route: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await scene.call(session, "POST", route, body);
    if (answer.status >= 500) throw new Error(JSON.stringify(answer.body));
    before -= 1;
    if (before < 0) killed ??= after(Math.random() * maxLaterMs).then(() => endProgram(program, "SIGKILL"));
    return answer.body;
  };
  const work = async (client: number): Promise<never> => {
    for (let turn = client; ; turn += 1) {
      const id = String((await ask("/images/generations", picture)).id);
      accepted.add(id);
      if (turn % 3 !== 0) continue;
      // It may have ended by itself.
      const { status } = await ask(`/predictions/${id}/cancel`, {});
      if (status === "canceled") canceled.add(id);
    }
  };
  await Promise.all(
    Array.from({ length: clients }, (_, client) =>
      work(client).catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error; // else the connection is gone, the program with it
      }),
    ),
  );
  await killed;
}
