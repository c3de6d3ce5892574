import { afterEach, expect, test, vi } from "vitest";
import { webhookSecrets } from "#gateway/platform/database/schema.ts";
import { createSecretBox } from "./secrets.ts";
import { type Scene, startScene } from "./testing/scene.ts";

let scene: Scene;
afterEach(() => scene.close());

test("with a new master secret stored secrets are resealed, and the previous one can be removed", async () => {
  scene = await startScene({}, { worker: false });
  const { config, database } = scene.context;
  const oldKeyId = createSecretBox(config).keyId;
  const endpoints = [await scene.createEndpoint(), await scene.createEndpoint(undefined, { ed25519: true })];
  const keyIds = async () =>
    new Set((await database.queries.select().from(webhookSecrets)).map((r) => r.keyId));
  expect(await keyIds()).toEqual(new Set([oldKeyId]));

  config.previousSecret = config.secret;
  config.secret = "the-master-secret-of-tomorrow-0002";
  await scene.startWorker();
  const newKeyId = createSecretBox(config).keyId;
  await vi.waitFor(async () => expect(await keyIds()).toEqual(new Set([newKeyId])));
  await scene.stopWorker();

  config.previousSecret = null;
  await scene.startWorker();
  await scene.emit();
  for (const { id } of endpoints)
    await scene.deliveryWhen({ endpoint_id: id }, ({ status }) => status === "delivered");
  expect(scene.api.logLines.join("")).not.toContain("cannot be opened");
});
