import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { uploadSweep } from "./expire.ts";
import { announce, png, put, verifiedUpload, verify } from "./testing/upload.ts";

describe("uploads that expire", () => {
  let key: string;
  const gateway = shared(() =>
    startTestGateway({ role: "api", uploadUrlTtlMs: 600_000, retentionMs: 600_000 }),
  );
  beforeAll(async () => {
    ({ key } = await gateway.createAccount());
  });

  /** Shifts the row's times to simulate that this much time has passed. */
  const age = (id: string, seconds: number) =>
    gateway.context.database.pool.query(
      `update uploads set url_expires_at = url_expires_at - $2 * interval '1 second',
       object_expires_at = object_expires_at - $2 * interval '1 second' where id = $1`,
      [id, seconds],
    );
  const statusOf = async (id: string) => (await call(gateway, key, "GET", `/uploads/${id}`)).body.status;

  it("expires a pending upload with its URL", async () => {
    const [swept, read] = [await announce(gateway, key), await announce(gateway, key)];
    await age(swept.id, 601);
    await age(read.id, 601);
    expect(await statusOf(read.id)).toBe("expired");
    await sweepAll(gateway.context, uploadSweep);
    expect(await statusOf(swept.id)).toBe("expired");
    expect((await verify(gateway, key, swept.id)).upload).toMatchObject({
      status: "expired",
      upload_url: null,
    });
    expect((await put(swept)).status).toBe(403);
  });

  it("renews the full time when a pending upload is read", async () => {
    const upload = await announce(gateway, key);
    await age(upload.id, 580);
    const { body } = await call(gateway, key, "GET", `/uploads/${upload.id}`);
    expect(Date.parse(String(body.url_expires_at))).toBeGreaterThan(Date.now() + 590_000);
    await sweepAll(gateway.context, uploadSweep);
    expect((await put({ ...upload, upload_url: String(body.upload_url) })).status).toBe(200);
  });

  it("removes the bytes of verified uploads, and of those that were never verified", async () => {
    const verified = await verifiedUpload(gateway, key);
    const forgotten = await announce(gateway, key);
    await put(forgotten);
    const young = await verifiedUpload(gateway, key);
    for (const { id } of [verified, forgotten]) await age(id, 601);
    const { rows } = await gateway.context.database.pool.query(
      "select storage_key from uploads where id = any($1)",
      [[verified.id, forgotten.id]],
    );
    expect(rows).toHaveLength(2);
    await sweepAll(gateway.context, uploadSweep);
    for (const { id } of [verified, forgotten]) expect(await statusOf(id)).toBe("expired");
    for (const { storage_key } of rows) expect(await gateway.context.store.head(storage_key)).toBeNull();
    expect(await statusOf(young.id)).toBe("verified");
    const { url_expires_at, object_expires_at } = young;
    expect(Date.parse(url_expires_at)).toBeLessThanOrEqual(Date.parse(object_expires_at ?? ""));
  });

  it("waits for a transfer that started in time; a broken one leaves the upload pending", async () => {
    const upload = await announce(gateway, key);
    const headers = { "content-type": "image/png", "content-length": png.length };
    const sending = request(upload.upload_url ?? "", { method: "PUT", headers });
    sending.on("error", () => {});
    sending.write(png.subarray(0, 100));
    const urlEnd = async () => {
      const { rows } = await gateway.context.database.pool.query(
        "select url_expires_at from uploads where id = $1",
        [upload.id],
      );
      return (rows[0].url_expires_at as Date).getTime();
    };
    await expect.poll(urlEnd).toBeGreaterThan(Date.parse(upload.url_expires_at));
    await age(upload.id, 601);
    await sweepAll(gateway.context, uploadSweep);
    expect(await statusOf(upload.id)).toBe("pending");
    expect(await urlEnd()).toBeGreaterThan(Date.now() + 2_900_000);
    sending.destroy();
    await expect.poll(urlEnd).toBeLessThan(Date.now() + 610_000);
    expect((await put(upload)).status).toBe(200);
  });
});
