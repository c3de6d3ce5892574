import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import type { Context } from "#gateway/districts.ts";
import type { ObjectStore } from "#gateway/files/storage/object-store.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { uploadSweep } from "./expire.ts";
import { receiveUpload } from "./receive.ts";
import { announce, png, put } from "./testing/upload.ts";

describe("the bytes of an upload", () => {
  let key: string;
  const gateway = shared(() => startTestGateway({ role: "api", uploadUrlTtlMs: 600_000 }));
  beforeAll(async () => {
    ({ key } = await gateway.createAccount());
  });

  const statusOf = async (id: string) => (await call(gateway, key, "GET", `/uploads/${id}`)).body.status;
  const keysOf = async (id: string): Promise<string | null> => {
    const { pool } = gateway.context.database;
    return (await pool.query("select storage_key from uploads where id = $1", [id])).rows[0].storage_key;
  };
  const lapse = (id: string) =>
    gateway.context.database.queries
      .update(uploads)
      .set({ urlExpiresAt: new Date(0) })
      .where(eq(uploads.id, id));
  const withStore = (store: Partial<ObjectStore>): Context => ({
    ...gateway.context,
    store: { ...gateway.context.store, ...store },
  });

  /** Simulates a process that dies after the bytes are stored, before they are accepted. Resolves to their key. */
  const dieBeforeAccepting = (id: string) =>
    new Promise<string>((resolve, reject) => {
      const context = withStore({
        async put(storageKey, ...rest) {
          await gateway.context.store.put(storageKey, ...rest);
          resolve(storageKey);
          return new Promise(() => {});
        },
      });
      receiveUpload(context, id, Readable.from([png])).catch(reject);
    });
  const exists = async (storageKey: string) => (await gateway.context.store.head(storageKey)) !== null;

  describe("stored by a process that died", () => {
    it.each([
      ["the sweep", () => sweepAll(gateway.context, uploadSweep), "expired"],
      ["a late read", statusOf, "expired"],
    ])("are removed when the upload expires through %s", async (_who, expire, status) => {
      const { id } = await announce(gateway, key);
      const storageKey = await dieBeforeAccepting(id);
      expect(await exists(storageKey)).toBe(true);
      await sweepAll(gateway.context, uploadSweep);
      expect(await statusOf(id)).toBe("pending");
      await lapse(id);
      await expire(id);
      expect([await statusOf(id), await exists(storageKey)]).toEqual([status, false]);
    });

    it("are removed when the sender retries or deletes the upload", async () => {
      const [again, deleted] = [await announce(gateway, key), await announce(gateway, key)];
      const lost = [
        await dieBeforeAccepting(again.id),
        await dieBeforeAccepting(again.id),
        await dieBeforeAccepting(deleted.id),
      ];
      expect((await put(again)).status).toBe(200);
      await call(gateway, key, "DELETE", `/uploads/${deleted.id}`);
      expect(await Promise.all(lost.map(exists))).toEqual([false, false, false]);
      const kept = await keysOf(again.id);
      expect(await exists(String(kept))).toBe(true);
    });
  });

  it("stay recorded in the row while they cannot be removed", async () => {
    const { id } = await announce(gateway, key);
    const broken = withStore({
      async put(storageKey, ...rest) {
        await gateway.context.store.put(storageKey, ...rest);
        throw new Error("put broke");
      },
      delete: async () => {
        throw new Error("delete broke");
      },
    });
    await expect(receiveUpload(broken, id, Readable.from([png]))).rejects.toThrow("put broke");
    const storageKey = String(await keysOf(id));
    expect(await exists(storageKey)).toBe(true);
    await lapse(id);
    await sweepAll(gateway.context, uploadSweep);
    expect(await exists(storageKey)).toBe(false);
  });

  it("stay when only the confirmation of their acceptance was lost", async () => {
    const { id } = await announce(gateway, key);
    const { database } = gateway.context;
    const results: unknown[] = [];
    const transaction: typeof database.transaction = async (run) => {
      const result = await database.transaction(run);
      // The first transaction records the key of the bytes, the second accepts them.
      if (results.push(result) === 2) throw new Error("connection lost");
      return result;
    };
    const context = { ...gateway.context, database: { ...database, transaction } };
    await expect(receiveUpload(context, id, Readable.from([png]))).rejects.toThrow("connection lost");
    expect(await statusOf(id)).toBe("uploaded");
    expect(await exists(String(await keysOf(id)))).toBe(true);
  });

  it("leave no key behind when a transfer simply fails", async () => {
    const { id } = await announce(gateway, key);
    await expect(receiveUpload(gateway.context, id, Readable.from([png.subarray(1)]))).rejects.toThrow(
      "were announced",
    );
    expect([await keysOf(id), await statusOf(id)]).toEqual([null, "pending"]);
  });

  it("are given up when the sender is silent; the sender may PUT again", async () => {
    const upload = await announce(gateway, key);
    const incoming = () => readdirSync(gateway.context.scratch.folder);
    let failure: unknown = null;
    const server = createServer((request) => {
      receiveUpload(gateway.context, upload.id, request, 300).catch((error) => {
        failure = error;
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`PUT / HTTP/1.1\r\nhost: x\r\ncontent-length: ${png.length}\r\n\r\n`);
    socket.write(png.subarray(0, 10));
    await expect.poll(incoming).toHaveLength(1);
    await expect.poll(() => socket.closed, { timeout: 5000 }).toBe(true);
    await expect.poll(incoming).toEqual([]);
    await expect.poll(() => String(failure)).toContain("no bytes arrived for 300 ms");
    expect([await keysOf(upload.id), await statusOf(upload.id)]).toEqual([null, "pending"]);
    expect((await put(upload)).status).toBe(200);
    server.close();
  });
});
