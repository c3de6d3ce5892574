import { existsSync, readdirSync, readlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { openS3Store } from "./s3.ts";
import { startS3Server } from "./testing/s3-server.ts";

const bytes = Buffer.alloc(3_000_000, "gatehouse");
const options = { contentType: "image/png" };
const openFiles = "/proc/self/fd";
const slowDown = { status: 503, code: "SlowDown" };

describe("a put to S3", () => {
  const open = (endpoint: string) =>
    openS3Store({ bucket: "bucket", endpoint, region: "us-east-1", prefix: "" }, folder);
  const folder = newFolder("spool");
  const server = shared(startS3Server);
  const store = shared(() => open(server.endpoint));

  it.each([
    ["asks to slow down", [slowDown, { status: 429, code: "TooManyRequests" }]],
    ["fails inside", [{ status: 500, code: "InternalError" }]],
    ["breaks the connection", ["reset" as const]],
  ])("is retried with all its bytes if the server %s", async (what, failures) => {
    server.putFailures.push(...failures);
    const key = what.replaceAll(" ", "-");
    await store.put(key, bytes, options);
    expect(server.putFailures).toEqual([]);
    expect(server.objects.get(`/bucket/${key}`)?.bytes.equals(bytes)).toBe(true);
  });

  it("fails after three failures, and at once after a permanent error", async () => {
    server.putFailures.push(slowDown, slowDown, slowDown);
    await expect(store.put("a", bytes, options)).rejects.toThrow(
      expect.objectContaining({ name: "SlowDown" }),
    );
    expect(server.putFailures).toEqual([]);
    server.putFailures.push({ status: 403, code: "AccessDenied" }, slowDown);
    await expect(store.put("a", bytes, options)).rejects.toThrow(
      expect.objectContaining({ name: "AccessDenied" }),
    );
    expect(server.putFailures.splice(0)).toEqual([slowDown]);
    expect(server.objects.has("/bucket/a")).toBe(false);
  });

  it.skipIf(!existsSync(openFiles))("leaves no file behind when it fails", async () => {
    const away = await open("http://127.0.0.1:1");
    await expect(away.put("a", bytes, options)).rejects.toThrow("ECONNREFUSED");
    await away.close();
    expect(readdirSync(folder)).toEqual([]);
    await expect.poll(() => openIn(folder)).toEqual([]);
  });
});

function openIn(folder: string): string[] {
  return readdirSync(openFiles)
    .map((handle) => {
      try {
        return readlinkSync(path.join(openFiles, handle));
      } catch {
        return "";
      }
    })
    .filter((file) => file.startsWith(folder));
}
