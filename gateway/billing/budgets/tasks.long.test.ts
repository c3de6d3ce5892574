import { execFileSync } from "node:child_process";
import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { chatProgram } from "#gateway/models/providers/testing/chat-program.ts";
import { writeProvidersFile } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { sendJson } from "#gateway/models/providers/testing/upstream-server.ts";
import type { ProgramScene } from "#gateway/testing/program-scene.ts";

const parallel = 200;
/** Each run costs 0.07 and can cost no more, so 100 runs fill the cap. */
const fitting = 100;
const cap = { metadata_key: "session", amount: "7" };
const usage = { prompt_tokens: 60, completion_tokens: 10, total_tokens: 70 };
const answerMs = 300;
const retryMs = 200;
/** Reservations of a killed process are released after a minute. */
const released = { timeout: 120_000, interval: 500 };

/** Two gateway processes behind one port, and a key with the cap. */
async function cappedProcesses() {
  const components = [
    { kind: "input_token", per: 1_000, rate: "0" },
    { kind: "output_token", per: 1_000, rate: "7" },
  ];
  const prices = [{ model: "svc/chat-1", api_type: "chat-completions", components }];
  const { upstream, scene } = await chatProgram(
    async (_seen, response) => {
      await after(answerMs);
      const message = { role: "assistant", content: "Done." };
      sendJson(response, { choices: [{ index: 0, message, finish_reason: "stop" }], usage });
    },
    {
      GATEWAY_PROCESSES: "2",
      REQUESTS_PER_MINUTE: "100000",
      MAX_CONCURRENCY: "1000",
      PRICES_FILE: writeProvidersFile({ prices }),
    },
  );
  onTestFinished(async () => {
    await scene.close();
    await upstream.close();
  });
  const program = await scene.start();
  const { session } = await scene.signIn();
  const made = { name: "agent", scopes: ["inference"], task_budget: cap };
  const { body } = await scene.call(session, "POST", "/keys", made);
  return { scene, program, session, key: String(body.secret), seen: () => upstream.seen.length };
}

/** One run of the session over a connection of its own, so that the processes take turns. */
async function run(scene: ProgramScene, key: string): Promise<{ status: number; id: string }> {
  const send = () =>
    fetch(`${scene.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", connection: "close" },
      body: JSON.stringify({
        ...{ model: "svc/chat-1", max_tokens: 10, metadata: { session: "loop" } },
        messages: [{ role: "user", content: "Hello" }],
      }),
    });
  let response = await send().catch(() => null);
  // On a busy machine the database may not answer in time. Clients then try again.
  while (response?.status === 503) {
    await response.body?.cancel();
    await after(retryMs);
    response = await send().catch(() => null);
  }
  const body = (await response?.json().catch(() => null)) as { id?: string } | null;
  return { status: response && body ? response.status : 0, id: body?.id ?? "" };
}

async function taskOf(scene: ProgramScene, session: string) {
  const { body } = await scene.call(session, "GET", "/tasks?value=loop");
  const [task] = body.data as { spent: string; reserved: string; runs: number }[];
  return { spent: task?.spent, reserved: task?.reserved, runs: task?.runs };
}

/** The number of billed runs and their cost, counted without the balances. */
async function billed(scene: ProgramScene): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client(scene.connection());
  await client.connect();
  const statement =
    "select count(distinct run)::int as runs, trim_scale(sum(charge))::text as spent from usage_lines";
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows[0];
}

it("200 parallel runs of one task over two processes end at its cap, exact to the cent", async () => {
  const { scene, session, key } = await cappedProcesses();
  const answers = await Promise.all(Array.from({ length: parallel }, () => run(scene, key)));
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect([count(200), count(402)]).toEqual([fitting, parallel - fitting]);
  await vi.waitFor(
    async () => expect(await taskOf(scene, session)).toEqual({ spent: "7", reserved: "0", runs: fitting }),
    released,
  );
  expect(await billed(scene)).toEqual({ runs: fitting, spent: "7" });
});

it("a process that is killed meanwhile loses no run of a task and counts none twice", async () => {
  const { scene, program, session, key, seen } = await cappedProcesses();
  const asked = Promise.all(Array.from({ length: parallel }, () => run(scene, key)));
  await vi.waitFor(() => expect(seen()).toBeGreaterThan(fitting / 2), { timeout: 60_000, interval: 5 });
  const children = execFileSync("pgrep", ["-P", String(program.pid), "-f", "gateway"], { encoding: "utf8" });
  process.kill(Number(children.trim().split("\n").at(-1)), "SIGKILL");
  const answered = (await asked).filter(({ status }) => status === 200);
  expect(answered.length).toBeLessThan(fitting);
  await vi.waitFor(
    async () => expect(await taskOf(scene, session)).toMatchObject({ reserved: "0" }),
    released,
  );
  const costs = answered.map(
    async ({ id }) => (await scene.call(session, "GET", `/runs/${id}/cost`)).body.amount,
  );
  expect(await Promise.all(costs)).toEqual(answered.map(() => "0.07"));
  // What the killed process did not answer has its room again: the cap is filled to the cent.
  let last = 0;
  for (let at = 0; at < parallel && last !== 402; at += 1) last = (await run(scene, key)).status;
  await vi.waitFor(
    async () => expect(await taskOf(scene, session)).toEqual({ spent: "7", reserved: "0", runs: fitting }),
    released,
  );
  expect(await billed(scene)).toEqual({ runs: fitting, spent: "7" });
});
