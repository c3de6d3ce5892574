import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stepResend } from "./resends.ts";
import { type MissedEvents, missedEvents } from "./testing/missed-events.ts";
import { type Scene, startScene } from "./testing/scene.ts";

let scene: Scene;
let missed: MissedEvents;
const children: ChildProcess[] = [];
beforeEach(async () => {
  // Shorter than the lease of the processes below.
  scene = await startScene({ timeoutMs: 2000 }, { worker: false });
  missed = missedEvents(scene, (await scene.createEndpoint()).id);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await scene.close();
});

test("ten thousand events are sent again, each once, and never more than a hundred are due", async () => {
  const events = 10_000;
  await missed.seed("dead-letter", events);
  const { run } = await missed.resend();
  expect(run.total).toBe(events);
  while ((await missed.read(run.id)).status === "running") {
    // Simulates several processes.
    await Promise.all([1, 2, 3].map(() => stepResend(scene.context.database)));
    const due =
      "select count(*)::int as n from webhook_deliveries where trigger = 'bulk' and status = 'pending'";
    expect((await missed.pool().query(due)).rows[0].n).toBeLessThanOrEqual(100);
    await missed.accept();
  }
  expect(await missed.read(run.id)).toMatchObject({ status: "done", queued: events });
  expect(await missed.sentAgain()).toEqual({ made: events, events });
});

test("processes that are killed during a run queue nothing twice and skip nothing", async () => {
  const events = 300;
  await missed.seed("dead-letter", events);
  const { config } = scene.context;
  const { host, port, user, password, database } = missed.pool().options;
  const file = path.join(config.dataDir, "worker.json");
  const connection = { host, port, user, password, database };
  writeFileSync(file, JSON.stringify({ config, connection, settings: { leaseMs: 3000, pollMs: 100 } }));
  const { run } = await missed.resend();
  for (let n = 0; n < 3; n += 1) {
    const before = (await missed.read(run.id)).queued;
    const child = fork(path.resolve(import.meta.dirname, "./testing/worker-process.ts"), [file], {
      execArgv: [],
    });
    children.push(child);
    await expect
      .poll(
        async () =>
          (await missed.read(run.id)).queued > before || (await missed.read(run.id)).status === "done",
        {
          timeout: 30_000,
          interval: 10,
        },
      )
      .toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await missed.stepUntilEnd(run.id);
  expect(await missed.read(run.id)).toMatchObject({ status: "done", queued: events });
  expect(await missed.sentAgain()).toEqual({ made: events, events });
});
