import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { NotRemovedError, type ObjectStore, PartsLostError } from "./object-store.ts";
import { openStorage } from "./open.ts";
import { type Scratch, spool, TooManyBytesError } from "./scratch.ts";

import { startS3Server } from "./testing/s3-server.ts";

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");
const options = { contentType: "image/png" };

describe.each(["disk", "s3"])("the %s store", (kind) => {
  let store: ObjectStore;
  let scratch: Scratch;
  const dataDir = newFolder("store");
  const server = shared(startS3Server);
  beforeAll(async () => {
    const s3 = { bucket: "bucket", endpoint: server.endpoint, region: "us-east-1", prefix: "gate/" };
    ({ store, scratch } = await openStorage({ dataDir, s3: kind === "s3" ? s3 : null }));
  });
  afterAll(async () => {
    await store.close();
    await scratch.close();
  });
  const spooled = () => readdirSync(scratch.folder);

  it("keeps bytes, their type, size and sha256", async () => {
    const bytes = Buffer.alloc(3_000_000, "gatehouse");
    const stored = await store.put(
      "outputs/pred_1/1.png",
      Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]),
      options,
    );
    expect(stored).toEqual({ sizeBytes: bytes.length, sha256: sha256(bytes) });
    expect(await store.head("outputs/pred_1/1.png")).toEqual({
      sizeBytes: bytes.length,
      contentType: "image/png",
    });
    const read = await store.get("outputs/pred_1/1.png");
    expect(read).toMatchObject({ sizeBytes: bytes.length, contentType: "image/png" });
    expect(read && (await buffer(read.stream)).equals(bytes)).toBe(true);
    expect(spooled()).toEqual([]);
  });

  it("reads an inclusive range and reports the total size", async () => {
    await store.put("a/b", Buffer.from("0123456789"), options);
    const read = await store.get("a/b", { start: 2, end: 4 });
    expect(read?.sizeBytes).toBe(10);
    expect(read && (await text(read.stream))).toBe("234");
  });

  it("returns null for a missing object, and removes it without an error", async () => {
    expect(await store.head("a/none")).toBeNull();
    expect(await store.get("a/none")).toBeNull();
    await store.delete(["a/none"]);
  });

  it("replaces and removes", async () => {
    await store.put("a/c", Buffer.from("old"), options);
    await store.put("a/c", Buffer.from("new one"), { contentType: "audio/wav" });
    expect(await store.head("a/c")).toEqual({ sizeBytes: 7, contentType: "audio/wav" });
    await store.delete(["a/c"]);
    expect(await store.get("a/c")).toBeNull();
  });

  it("removes many objects at once and names those that remain", async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `many/${index >> 1}/${index}`);
    for (const key of keys) await store.put(key, Buffer.from("x"), options);
    const [stuck = "", ...others] = keys;
    const objects = path.join(dataDir, "files/objects");
    if (kind === "s3") server.locked.add(`gate/${stuck}`);
    else {
      rmSync(path.join(objects, `${stuck}.bin`));
      mkdirSync(path.join(objects, `${stuck}.bin/x`), { recursive: true });
    }
    server.deletions.length = 0;
    const error = await store.delete([...keys, "many/none"]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotRemovedError);
    expect([...(error as NotRemovedError).keys]).toEqual([stuck]);
    for (const key of others) expect(await store.head(key)).toBeNull();
    if (kind === "s3") expect(server.deletions).toEqual([31]);
    else expect(readdirSync(path.join(objects, "many"))).toEqual(["0"]);
  });

  it("keeps nothing when too many bytes arrive or the transfer is interrupted", async () => {
    await expect(store.put("a/d", Buffer.alloc(11), { ...options, maxBytes: 10 })).rejects.toThrow(
      TooManyBytesError,
    );
    const broken = new Readable({
      read() {
        this.push("half");
        this.destroy(new Error("gone"));
      },
    });
    await expect(store.put("a/d", broken, options)).rejects.toThrow("gone");
    expect(await store.head("a/d")).toBeNull();
    expect(spooled()).toEqual([]);
  });

  describe("an object in parts", () => {
    const whole = { sizeBytes: 5 * 1024 * 1024 + 3, contentType: "video/mp4" };
    const bytes = Buffer.alloc(whole.sizeBytes, "gatehouse");
    const [first, last] = [bytes.subarray(0, -3), bytes.subarray(-3)];
    const partOf = async (key: string, id: string, number: number, part: Buffer) => {
      const spooledPart = await spool(part, scratch.folder);
      return { number, etag: await store.parts.put({ key, id }, number, spooledPart) };
    };

    it("uses the last part stored under each number, and is assembled once however often it is requested", async () => {
      const key = "parts/whole";
      const id = await store.parts.begin(key, whole.contentType);
      await partOf(key, id, 2, Buffer.from("old"));
      const parts = [await partOf(key, id, 1, first), await partOf(key, id, 2, last)];
      expect(await store.head(key)).toBeNull();
      await store.parts.complete({ key, id }, parts, whole);
      await store.parts.complete({ key, id }, parts, whole);
      const read = await store.get(key);
      expect(read).toMatchObject(whole);
      expect(read && (await buffer(read.stream)).equals(bytes)).toBe(true);
      await store.parts.abort(key, id);
      await store.parts.complete({ key, id }, parts, whole);
      expect(await store.head(key)).toEqual(whole);
      expect(spooled()).toEqual([]);
    });

    it("leaves nothing once it is aborted, even if only its key is known", async () => {
      const key = "parts/aborted";
      for (const known of [true, false]) {
        const id = await store.parts.begin(key, whole.contentType);
        const parts = [await partOf(key, id, 1, first), await partOf(key, id, 2, last)];
        await store.parts.abort(key, known ? id : null);
        await store.parts.abort(key, known ? id : null);
        await expect(store.parts.complete({ key, id }, parts, whole)).rejects.toThrow(PartsLostError);
        await expect(partOf(key, id, 1, first)).rejects.toThrow(PartsLostError);
      }
      expect(await store.head(key)).toBeNull();
      expect(server.unfinished.size).toBe(0);
      expect(
        readdirSync(dataDir, { recursive: true }).filter((name) => String(name).includes("aborted")),
      ).toEqual([]);
      expect(spooled()).toEqual([]);
    });
  });

  it.each(["../secret", "/etc/passwd", "a/../b", "a//b", "a/.hidden", "", "a/b c", `a/${"x".repeat(500)}`])(
    "refuses the key %j",
    async (key) => {
      await expect(store.put(key, Buffer.from("x"), options)).rejects.toThrow("not an object key");
      await expect(store.get(key)).rejects.toThrow("not an object key");
    },
  );

  it("signs every S3 request and stays within its prefix", () => {
    if (kind !== "s3") return;
    expect(server.unsigned).toEqual([]);
    expect([...server.objects.keys()].every((key) => key.startsWith("/bucket/gate/"))).toBe(true);
  });
});
