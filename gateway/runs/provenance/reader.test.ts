import { expect, it } from "vitest";
import { readManifest } from "./reader.ts";

/** As many empty boxes as a file may have; the reader looks at each. */
function endless(bytes: number): Buffer {
  const head = Buffer.from("\0\0\0\x14ftypisom\0\0\0\0isom");
  return Buffer.concat([head, Buffer.alloc(bytes, Buffer.from("\0\0\0\x08free"))]);
}

it("checking a slow file does not delay any output", async () => {
  const file = (contentType: string, bytes: Buffer) => ({
    contentType,
    sizeBytes: bytes.length,
    bytes: async () => bytes,
  });
  const slow = readManifest(file("video/mp4", endless(90_000_000)), { among: "checks", timeoutMs: 10_000 });
  const output = readManifest(file("audio/wav", Buffer.from("RIFF\x24\0\0\0WAVEfmt ")));
  const first = await Promise.race([slow.then(() => "checked"), output.then(() => "read")]);
  expect(first).toBe("read");
  expect(await slow).toMatchObject({ state: "unknown", reason: "timeout" });
});
