import { once } from "node:events";
import { cpSync, readdirSync } from "node:fs";
import path from "node:path";
import Stripe from "stripe";
import { expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { providerAt, testKeys, writeProvidersFile } from "./models/providers/testing/mapped-gateway.ts";
import { sendJson, startUpstream } from "./models/providers/testing/upstream-server.ts";
import { endProgram } from "./testing/program.ts";
import { programScene } from "./testing/program-scene.ts";

const answered = { prompt_tokens: 60, completion_tokens: 10, total_tokens: 70 };

const upstream = shared(() =>
  startUpstream((_seen, response) =>
    sendJson(response, {
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi" } }],
      usage: answered,
    }),
  ),
);
const components = [
  { kind: "input_token", per: 1_000, rate: "1" },
  { kind: "output_token", per: 1_000, rate: "1" },
];
const scene = shared(() =>
  programScene({
    ...testKeys,
    PROVIDERS_FILE: writeProvidersFile({
      providers: { hosts: providerAt(upstream) },
      routes: [{ models: ["svc/chat-1"], provider: "hosts", upstream_model: "m" }],
    }),
    PRICES_FILE: writeProvidersFile({
      prices: [{ model: "svc/chat-1", api_type: "chat-completions", components }],
    }),
  }),
);

it("a program that is killed while a video runs ends with one succeeded prediction, one event and one delivery", async () => {
  const first = await scene.start();
  const { session, secret } = await scene.signIn();
  const video = { model: "svc/vid-t2v", prompt: "a lighthouse in the rain", duration: 2 };
  const { body: accepted } = await scene.call(session, "POST", "/videos", video);
  const id = String(accepted.id);
  const follow = await fetch(`${scene.url}/predictions/${id}/events`, {
    headers: { authorization: `Bearer ${session}` },
  });
  for await (const chunk of follow.body as unknown as AsyncIterable<Uint8Array>)
    if (Buffer.from(chunk).toString().includes('"provider_accepted"')) break;
  first.kill("SIGKILL");
  await once(first, "exit");

  const next = await scene.start();
  const delivered = await scene.receiver.next();
  const signature = String(delivered.headers["x-svc-signature"]);
  const event = new Stripe("unused").webhooks.constructEvent(delivered.body, signature, secret);
  expect(event.type).toBe("prediction.succeeded");
  const { body: prediction } = await scene.call(session, "GET", `/predictions/${id}`);
  expect(prediction).toMatchObject({ id, status: "succeeded", error: null });
  const deliveries = await deliveredLog(session, id);
  expect(deliveries).toHaveLength(1);
  expect(deliveries[0]).toMatchObject({ status: "delivered", attempts: 1, event_id: event.id });
  expect(scene.receiver.received).toHaveLength(1);
  await endProgram(next, "SIGTERM");
});

it("a program that is killed right after its answers bills each of them once after the next start, also in a hard budget", async () => {
  const runs = 30;
  let program = await scene.start();
  const { session } = await scene.signIn();
  const budgets = [{ amount: "100", period: "total", hard: true }];
  expect((await scene.call(session, "PATCH", "/account/budgets", { budgets })).status).toBe(200);
  const ask = async (): Promise<string> => {
    const messages = [{ role: "user", content: "Hello" }];
    const { status, body, headers } = await scene.call(session, "POST", "/chat/completions", {
      ...{ model: "svc/chat-1", max_tokens: 10, messages },
    });
    expect([status, headers.get("x-svc-cost")]).toEqual([200, "0.070000 USD"]);
    return String(body.id);
  };
  const ids = await Promise.all(Array.from({ length: runs }, ask));
  await endProgram(program, "SIGKILL");
  const folder = path.join(scene.dataDir, "settled");
  const copies = path.join(scene.dataDir, "copies");
  cpSync(folder, copies, { recursive: true });

  const billed = async () => {
    const amounts = ids.map(async (id) => (await scene.call(session, "GET", `/runs/${id}/cost`)).body.amount);
    const { body } = await scene.call(session, "GET", "/account/budgets");
    const [budget] = body.budgets as { spent: string; reserved: string }[];
    return { amounts: await Promise.all(amounts), spent: budget?.spent, reserved: budget?.reserved };
  };
  const all = { amounts: ids.map(() => "0.07"), spent: "2.1", reserved: "0" };
  program = await scene.start();
  expect(await billed()).toEqual(all);
  // Lines that are replayed twice, as after a kill during the replay, count once.
  await endProgram(program, "SIGKILL");
  cpSync(copies, folder, { recursive: true });
  program = await scene.start();
  expect(await billed()).toEqual(all);
  await endProgram(program, "SIGTERM");
  expect(readdirSync(folder)).toEqual([]);
});

/** The deliveries of a prediction, once the result of the attempt is written. */
async function deliveredLog(session: string, id: string): Promise<Record<string, unknown>[]> {
  for (;;) {
    const { body } = await scene.call(session, "GET", `/webhooks/deliveries?prediction_id=${id}`);
    const rows = body.data as Record<string, unknown>[];
    if (rows.every((row) => row.status === "delivered")) return rows;
  }
}
