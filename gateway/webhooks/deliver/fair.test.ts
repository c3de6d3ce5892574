import { afterEach, expect, test } from "vitest";
import { isDone, type Scene, startScene } from "../testing/scene.ts";

let scene: Scene;
afterEach(() => scene.close());

test("an account with many silent endpoints and a backlog does not keep another account's delivery waiting", async () => {
  scene = await startScene(
    { timeoutMs: 25_000 },
    { settings: { concurrency: 8, endpointConcurrency: 4, maxHeld: 16, stopGraceMs: 50 } },
  );
  scene.receiver.answer(({ path }, response) => {
    if (path !== "/silent") response.writeHead(204).end();
  });
  for (let n = 0; n < 20; n += 1) await scene.createEndpoint(`${scene.receiver.url}/silent`);
  for (let n = 0; n < 3; n += 1) await scene.emit();
  await scene.receiver.next(() => scene.receiver.received.length >= 6);

  const other = await scene.api.createAccount();
  const made = await scene.api.call(other.key, "POST", "/webhooks/endpoints", {
    url: `${scene.receiver.url}/quick`,
  });
  expect(made.status).toBe(201);
  await scene.emit("prediction.succeeded", undefined, other.accountId);
  await scene.receiver.next(({ path }) => path === "/quick");

  const { body } = await scene.call("GET", "/webhooks/deliveries");
  expect((body.data as never[]).some(isDone)).toBe(false);
});
