import { once } from "node:events";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ProgramScene, programScene } from "./testing/program-scene.ts";

let scene: ProgramScene;
beforeAll(async () => {
  scene = await programScene();
});
afterAll(() => scene.close());

it("killed while a video runs, it ends with one succeeded prediction, one event and one delivery", async () => {
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

  await scene.start();
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
}, 300_000);

/** The deliveries of a prediction, once the result of the attempt is written. */
async function deliveredLog(session: string, id: string): Promise<Record<string, unknown>[]> {
  for (;;) {
    const { body } = await scene.call(session, "GET", `/webhooks/deliveries?prediction_id=${id}`);
    const rows = body.data as Record<string, unknown>[];
    if (rows.every((row) => row.status === "delivered")) return rows;
  }
}
