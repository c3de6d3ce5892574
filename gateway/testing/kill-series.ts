import type { ChildProcess } from "node:child_process";
import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { expect, vi } from "vitest";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import { testKeys, writeProvidersFile } from "../models/providers/testing/mapped-gateway.ts";
import { startReplicateServer } from "../models/providers/testing/replicate-server.ts";
import { answersSoon, endProgram } from "./program.ts";
import { outcomes } from "./program-outcomes.ts";
import { type ProgramScene, programScene } from "./program-scene.ts";
import { type Random, seededRandom } from "./random.ts";

/** After this many kills, one comes while the program starts. */
const startKillEvery = 5;
const startMs = 1000;
/** In other rounds the program is killed this soon after one of the first answers. */
const maxAnswers = 8;
const maxLaterMs = 50;
const settleMs = 60_000;
/** Reservations of a process that was killed before it accepted the run are released after a minute. */
const giveBackMs = 90_000;
const priceEach = "0.04";
const clients = 3;
const retryMs = 200;
const picture = {
  model: "svc/img-gen-b",
  prompt: "a lighthouse",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};

/** The answers that users got. */
interface Outcome {
  /** Predictions that were answered with 202. */
  accepted: Set<string>;
  /** Predictions whose cancel was confirmed. */
  canceled: Set<string>;
}

/**
 * Kills the real program at random moments under load; every prediction ends once, its event is delivered
 * once, and its cost is counted once in the lines, the sums and the account's budget.
 */
export async function killSeries(kills: number): Promise<void> {
  const random = seededRandom(`${kills} kills`);
  const upstream = await startReplicateServer();
  upstream.polls = 0;
  upstream.end = { status: "succeeded", output: [`${upstream.origin}/files/out.png`] };
  const hosts = {
    protocol: "replicate",
    base_url: `${upstream.origin}/v1`,
    credentials: { "us-virginia": { env: "TEST_UPSTREAM_KEY" } },
  };
  const scene = await programScene({
    ...testKeys,
    PROVIDERS_FILE: writeProvidersFile({
      providers: { hosts },
      routes: [{ models: [picture.model], provider: "hosts", upstream_model: "acme/picture" }],
    }),
    PRICES_FILE: writeProvidersFile({
      prices: [
        {
          model: picture.model,
          api_type: "image-generation",
          components: [{ kind: "image", per: 1, rate: priceEach }],
        },
      ],
    }),
    REQUESTS_PER_MINUTE: "1000000",
    MAX_CONCURRENCY: "10000",
    WEBHOOK_BACKOFF_BASE_MS: "100",
    WEBHOOK_BACKOFF_FACTOR: "1",
  });
  scene.receiver.answer((_one, response) => {
    setTimeout(() => response.writeHead(204).end(), random() * 30);
  });
  try {
    const outcome = await killUnderLoad(scene, kills, random);
    expect(outcome.accepted.size).toBeGreaterThan(kills);
    await expectEachEndedOnce(scene, outcome);
  } finally {
    await scene.close();
    await upstream.close();
  }
}

async function killUnderLoad(scene: ProgramScene, kills: number, random: Random): Promise<Outcome> {
  const outcome: Outcome = { accepted: new Set(), canceled: new Set() };
  // A program that stops normally leaves its compiled code for the next ones.
  await endProgram(await scene.start(), "SIGTERM");
  let program = await scene.start();
  const { session } = await scene.signIn();
  const budget = { amount: "1000000", period: "total", hard: true };
  expect((await scene.call(session, "PATCH", "/account/budgets", { budgets: [budget] })).status).toBe(200);
  for (let killed = 0; killed < kills; ) {
    await orderUntilKilled(scene, session, program, random, outcome);
    killed += 1;
    program = scene.spawn();
    if (killed % startKillEvery === 0 && killed < kills) {
      await after(random() * startMs);
      await endProgram(program, "SIGKILL");
      killed += 1;
      program = scene.spawn();
    }
    expect(await answersSoon(program)).toBe(true);
  }
  return outcome;
}

/** Clients start predictions and cancel every third, until the program is killed and stops answering. */
async function orderUntilKilled(
  scene: ProgramScene,
  session: string,
  program: ChildProcess,
  random: Random,
  { accepted, canceled }: Outcome,
): Promise<void> {
  let before = Math.floor(random() * maxAnswers);
  const killAfterMs = random() * maxLaterMs;
  let killed: Promise<void> | null = null;
  const ask = async (route: string, body: object): Promise<Record<string, unknown>> => {
    let answer = await scene.call(session, "POST", route, body);
    // On a busy machine the database may not answer in time. Clients then try again.
    while (answer.status === 503) {
      await after(retryMs);
      answer = await scene.call(session, "POST", route, body);
    }
    if (answer.status >= 500) throw new Error(JSON.stringify(answer.body));
    before -= 1;
    if (before < 0) killed ??= after(killAfterMs).then(() => endProgram(program, "SIGKILL"));
    return answer.body;
  };
  const work = async (client: number): Promise<never> => {
    for (let turn = client; ; turn += 1) {
      const id = String((await ask("/images/generations", picture)).id);
      accepted.add(id);
      if (turn % 3 !== 0) continue;
      // The prediction may have ended already.
      const { status } = await ask(`/predictions/${id}/cancel`, {});
      if (status === "canceled") canceled.add(id);
    }
  };
  await Promise.all(
    Array.from({ length: clients }, (_, client) =>
      work(client).catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error; // Otherwise the connection broke, because the program was killed.
      }),
    ),
  );
  await killed;
}

async function expectEachEndedOnce(scene: ProgramScene, { accepted, canceled }: Outcome): Promise<void> {
  const ended = await outcomes(scene.connection(), settleMs);
  expect(ended.filter((row) => row.events !== 1 || row.delivered !== 1 || row.deliveries !== 1)).toEqual([]);
  const statusOf = new Map(ended.map((row) => [row.id, row.status]));
  expect([...accepted].filter((id) => !statusOf.has(id))).toEqual([]);
  expect([...canceled].filter((id) => statusOf.get(id) !== "canceled")).toEqual([]);
  expect(new Set(statusOf.values())).toContain("succeeded");
  const arrived = new Set(scene.receiver.received.map((one) => one.headers["x-svc-event-id"]));
  expect(ended.filter((row) => !arrived.has(row.event_id ?? ""))).toEqual([]);
  await expectPaidOnce(scene, ended.filter(({ status }) => status === "succeeded").length);
}

async function expectPaidOnce(scene: ProgramScene, succeeded: number): Promise<void> {
  const paid = decimalText(BigInt(succeeded) * decimalOf(priceEach));
  const client = new pg.Client(scene.connection());
  await client.connect();
  try {
    await vi.waitFor(
      async () => {
        const { rows } = await client.query(`
          select (select trim_scale(sum(cost))::text from usage_lines) as lines,
            (select trim_scale(sum(cost))::text from usage_sums) as sums,
            trim_scale(spent)::text as spent, trim_scale(reserved)::text as reserved
          from budget_balances where kind = 'account' and period = 'total'`);
        expect(rows).toEqual([{ lines: paid, sums: paid, spent: paid, reserved: "0" }]);
      },
      { timeout: giveBackMs, interval: 200 },
    );
  } finally {
    await client.end();
  }
}
