import { expect, it, vi } from "vitest";
import { reservedFileSweep } from "#gateway/files/storage/remove-files.ts";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { fresh, shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { predictionSweep } from "./remove-data.ts";
import { settle } from "./settle.ts";

const limit = 400_000;
const input = Buffer.concat([Buffer.from(smallImage.split(",")[1] ?? "", "base64"), Buffer.alloc(100_000)]);
const syncImage = { model: "svc/img-gen-a-1", prompt: "a red lighthouse", size: "256x256" };
const asyncEdit = { model: "svc/swap-1", image: [dataUri(input), smallImage], person_rights_confirmed: true };
const video = { model: "svc/vid-t2v", prompt: "waves at dusk", duration: 2 };

// Without workers, so that a prediction ends only when the test ends it.
const gateway = shared(() => startTestGateway({ role: "api", storageBytesPerAccount: limit }));
const account = fresh(() => gateway.createAccount("adult", "portrait_rights"));

function dataUri(bytes: Buffer): string {
  return `data:image/png;base64,${bytes.toString("base64")}`;
}

const post = (path: string, body: object) => call(gateway, account.key, "POST", path, body);
const sql = (text: string, ...values: unknown[]) => gateway.context.database.pool.query(text, values);

async function stored(): Promise<number> {
  const { rows } = await sql("select bytes from account_storage where account_id = $1", account.accountId);
  return Number(rows[0]?.bytes ?? 0);
}

const end = (id: unknown, sizeBytes: number) =>
  settle(gateway.context, String(id), {
    status: "succeeded",
    outputs: [
      { key: `outputs/${id}/1.mp4`, contentType: "video/mp4", sizeBytes, width: 1, height: 1, duration: 2 },
    ],
    usage: { unit: "second", quantity: 2 },
  });

async function removeExpired(): Promise<void> {
  await sql("update predictions set expires_at = now() where account_id = $1", account.accountId);
  await sql("update generations set expires_at = now() where account_id = $1", account.accountId);
  await sweepAll(gateway.context, predictionSweep);
  await sweepAll(gateway.context, reservedFileSweep);
}

it("counts inputs and outputs of predictions until they are removed", async () => {
  const { status, body } = await post("/images/edits", asyncEdit);
  expect(status).toBe(202);
  const inputs = await stored();
  expect(inputs).toBeGreaterThan(input.length);
  await end(body.id, 12_345);
  expect(await stored()).toBe(inputs + 12_345);
  await removeExpired();
  expect(await stored()).toBe(0);
});

it("counts outputs of sync operations until they are removed", async () => {
  expect((await post("/images/generations", syncImage)).status).toBe(200);
  expect(await stored()).toBeGreaterThan(1_000);
  await removeExpired();
  expect(await stored()).toBe(0);
});

it("refuses inputs beyond the limit, and keeps nothing of them", async () => {
  const large = dataUri(Buffer.concat([input, Buffer.alloc(limit)]));
  const { status, body } = await post("/images/edits", { ...asyncEdit, image: [large, smallImage] });
  expect([status, body.error]).toMatchObject([413, { code: "storage_limit_exceeded" }]);
  expect(await stored()).toBe(0);
});

it("refuses runs that store something once the limit is reached, and accepts them when files are gone", async () => {
  const { body } = await post("/videos", video);
  await end(body.id, limit);
  await vi.waitFor(async () => expect((await post("/videos", video)).status).toBe(413), 10_000);
  const refused = [
    await post("/videos", video),
    await post("/images/generations", syncImage),
    await post("/uploads", { content_type: "image/png", size_bytes: 1 }),
  ];
  for (const { status, body } of refused)
    expect([status, body.error]).toMatchObject([413, { code: "storage_limit_exceeded" }]);
  const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "hello" }] };
  expect((await post("/chat/completions", chat)).status).toBe(200);
  await removeExpired();
  expect((await post("/videos", video)).status).toBe(202);
});
