import { setTimeout as after } from "node:timers/promises";
import { expect, vi } from "vitest";
import { type OwnServer, startOwnServer } from "./own-server.ts";
import { outcomes } from "./program-outcomes.ts";
import { type ProgramScene, programScene } from "./program-scene.ts";
import { seededRandom } from "./random.ts";

const maxOverdueMs = 120_000;
/** Time before and after the outage. */
const ordersEachTime = 20;
const clients = 4;
/** A user whose order was refused tries again after this. */
const retryMs = 200;
const video = { model: "svc/vid-t2v", prompt: "a lighthouse in the rain", duration: 2 };
const picture = {
  model: "svc/img-gen-b",
  prompt: "a lighthouse",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};

export type Outage = "stopped" | "frozen";

/**
 * Takes PostgreSQL away from the real program under load, and checks that nothing restarts, gets lost or is
 * late.
 */
export async function databaseOutage(outage: Outage, awayMs: number): Promise<void> {
  const random = seededRandom(`PostgreSQL ${outage}`);
  const server = await startOwnServer();
  const scene = await programScene({
    DATABASE_URL: server.url,
    REQUESTS_PER_MINUTE: "1000000",
    MAX_CONCURRENCY: "10000",
  });
  scene.receiver.answer((_one, response) => {
    setTimeout(() => response.writeHead(204).end(), random() * 300);
  });
  try {
    await leaveAndComeBack(scene, server, outage, awayMs);
  } finally {
    await scene.close();
    await server.remove();
  }
}

async function leaveAndComeBack(
  scene: ProgramScene,
  server: OwnServer,
  outage: Outage,
  awayMs: number,
): Promise<void> {
  const program = await scene.start();
  const { session } = await scene.signIn();
  const users = startUsers(scene, session);
  await users.until(ordersEachTime);
  // Runs that end during the outage.
  for (let n = 0; n < 2; n += 1) await users.order("/images/generations", picture);
  if (outage === "frozen") server.freeze();
  else await server.stop();
  await after(awayMs);
  if (outage === "frozen") server.thaw();
  else await server.start();
  const backAt = performance.now();
  const before = users.canceled.size;
  await users.until(before + ordersEachTime);
  await users.stop();
  const ended = await outcomes({ connectionString: server.url }, maxOverdueMs);
  expect(performance.now() - backAt).toBeLessThan(maxOverdueMs);
  expect(program.exitCode ?? program.signalCode).toBeNull();
  expect(ended.filter((row) => row.events !== 1 || row.delivered !== 1 || row.deliveries !== 1)).toEqual([]);
  const statusOf = new Map(ended.map((row) => [row.id, row.status]));
  expect([...users.accepted].filter((id) => !statusOf.has(id))).toEqual([]);
  expect([...users.canceled].filter((id) => statusOf.get(id) !== "canceled")).toEqual([]);
  const arrived = new Set(scene.receiver.received.map((one) => one.headers["x-svc-event-id"]));
  expect(ended.filter((row) => !arrived.has(row.event_id ?? ""))).toEqual([]);
}

/** Users who order and cancel, and try again after a refusal. */
function startUsers(scene: ProgramScene, session: string) {
  const accepted = new Set<string>();
  const canceled = new Set<string>();
  let stopped = false;
  /** The answer; the request is repeated while the service is unavailable. */
  const ask = async (route: string, body: object) => {
    for (;;) {
      const answer = await scene.call(session, "POST", route, body);
      if (answer.status < 500) return answer;
      await after(retryMs);
    }
  };
  const order = async (route: string, body: object): Promise<string> => {
    const answer = await ask(route, body);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    const id = String(answer.body.id);
    accepted.add(id);
    return id;
  };
  const cancel = async (id: string): Promise<void> => {
    const { status, body } = await ask(`/predictions/${id}/cancel`, {});
    if (status < 300) canceled.add(id);
    // It may have ended during the outage.
    else expect(body.error).toMatchObject({ code: "prediction_already_terminal" });
  };
  const work = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!stopped) {
        await cancel(await order("/videos", video));
      }
    }),
  );
  return {
    accepted,
    canceled,
    order,
    until: (count: number) =>
      Promise.race([
        work,
        vi.waitFor(() => expect(canceled.size).toBeGreaterThan(count), { timeout: maxOverdueMs }),
      ]),
    async stop() {
      stopped = true;
      await work;
    },
  };
}
