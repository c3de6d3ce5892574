import { expect, it, vi } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const MiB = 1024 * 1024;
const fileBytes = 100 * MiB;
const files = 45;
/** The size of one file; the ZIP holds 45. */
const maxGrowthBytes = 100 * MiB;
/** The last chunks, which contain the ZIP's directory. */
const lastChunks = 50;

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

/** A batch whose rows have one file each; all of them point to the same object. */
async function largeBatch(): Promise<string> {
  const { store, database } = gateway.context;
  const file = { key: "outputs/large/1.bin", contentType: "image/png", sizeBytes: fileBytes };
  await store.put(file.key, Buffer.alloc(fileBytes, "x"), { contentType: file.contentType });
  const rows = Array.from({ length: files }, () => ({ prompt: "a pine" }));
  const { body } = await call(gateway, account.key, "POST", "/batches", { model: "svc/chat-1", rows });
  const id = String(body.id);
  await call(gateway, account.key, "POST", `/batches/${id}/stop`);
  const stopped = async () => {
    const now = await call(gateway, account.key, "GET", `/batches/${id}`);
    expect(now.body.status).toBe("stopped");
  };
  await vi.waitFor(stopped, { timeout: 60_000 });
  await database.pool.query("update batch_rows set files = $2 where batch_id = $1", [
    id,
    JSON.stringify([{ ...file, width: 1, height: 1, duration: null }]),
  ]);
  return id;
}

it("streams a ZIP file of 4.5 GB without holding it, and its directory can be found", {
  timeout: 600_000,
}, async () => {
  const id = await largeBatch();
  const response = await fetch(`${gateway.url}/batches/${id}/results.zip`, {
    headers: { authorization: `Bearer ${account.key}` },
  });
  let sizeBytes = 0;
  const last: Buffer[] = [];
  /** Peak memory in each half of the download. */
  const highest: [number, number] = [0, 0];
  for await (const chunk of response.body ?? []) {
    const half = sizeBytes < (files * fileBytes) / 2 ? 0 : 1;
    highest[half] = Math.max(highest[half], process.memoryUsage.rss());
    sizeBytes += chunk.length;
    last.push(Buffer.from(chunk));
    if (last.length > lastChunks) last.shift();
  }
  expect(sizeBytes).toBeGreaterThan(files * fileBytes);
  expect(highest[1] - highest[0]).toBeLessThan(maxGrowthBytes);

  const tail = Buffer.concat(last);
  const start = sizeBytes - tail.length;
  const locator = tail.lastIndexOf(Buffer.from("PK\x06\x07", "latin1"));
  const end = Number(tail.readBigUInt64LE(locator + 8)) - start;
  expect(tail.toString("latin1", end, end + 4)).toBe("PK\x06\x06");
  expect(Number(tail.readBigUInt64LE(end + 32))).toBe(files + 2);
  const directory = Number(tail.readBigUInt64LE(end + 48)) - start;
  expect(tail.toString("latin1", directory, directory + 4)).toBe("PK\x01\x02");
  // The last entry begins beyond 4 GiB, so its offset is in the extra field.
  const manifest = tail.lastIndexOf("manifest.json");
  const place = Number(tail.readBigUInt64LE(manifest + "manifest.json".length + 4));
  expect(place).toBeGreaterThan(4 * 1024 * MiB);
  expect(place).toBeLessThan(sizeBytes);
});
