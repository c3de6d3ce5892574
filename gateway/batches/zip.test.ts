import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import { writeZip, type ZipEntry } from "./zip.ts";

async function* listed(entries: ZipEntry[]) {
  yield* entries;
}

/** Reads a ZIP file by its directory, as programs do. */
function readZip(file: Buffer): Record<string, string> {
  const end = file.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  let at = file.readUInt32LE(end + 16);
  const found: Record<string, string> = {};
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [crc, size] = [file.readUInt32LE(at + 16), file.readUInt32LE(at + 24)];
    const [nameLength, extraLength] = [file.readUInt16LE(at + 28), file.readUInt16LE(at + 30)];
    const name = file.toString("latin1", at + 46, at + 46 + nameLength);
    const start = file.readUInt32LE(at + 42);
    const from = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28);
    const content = file.subarray(from, from + size);
    expect(crc32(content)).toBe(crc);
    found[name] = content.toString();
    at += 46 + nameLength + extraLength;
  }
  expect(at).toBe(end);
  return found;
}

it("writes a file that can be read by its directory", async () => {
  const entries = [
    { name: "files/0001-1.png", content: [Buffer.from("first "), Buffer.from("second")] },
    { name: "empty.csv", content: [] },
    { name: "manifest.json", content: [Buffer.from("{}")] },
  ];
  const chunks: Buffer[] = [];
  for await (const chunk of writeZip(listed(entries))) chunks.push(chunk);
  expect(readZip(Buffer.concat(chunks))).toEqual({
    "files/0001-1.png": "first second",
    "empty.csv": "",
    "manifest.json": "{}",
  });
});
