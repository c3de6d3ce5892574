import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { duskImage, landscapeVideo, smallImage, speechAudio } from "#gateway/models/catalog/example-media.ts";
import { isOfType, sniff, sniffBytes } from "./sniff.ts";

/**
 * Processor time; the library alone takes more than 50 ms for an archive. Measured again if it is too large:
 * a real cost shows up each time, noise of the machine does not.
 */
const judgedWithinMs = 30;
const bytesOf = (uri: string) => Buffer.from(uri.slice(uri.indexOf(",") + 1), "base64");
const webm = Buffer.concat([
  Buffer.from("1a45dfa39f4286810142f7810142f2810442f381084282847765626d", "hex"),
  Buffer.alloc(64),
]);

test.each([
  ["PNG", bytesOf(smallImage), "image/png", "image"],
  ["JPEG", bytesOf(duskImage), "image/jpeg", "image"],
  ["WAV", bytesOf(speechAudio), "audio/wav", "audio"],
  ["MP4", bytesOf(landscapeVideo), "video/mp4", "video"],
  ["WebM", webm, "video/webm", "video"],
  ["GIF", Buffer.from("GIF89a\x01\x00\x01\x00\x00\x00\x00", "latin1"), "image/gif", "image"],
  ["BMP", Buffer.concat([Buffer.from("BM"), Buffer.alloc(64)]), "image/bmp", "image"],
  ["FLAC", Buffer.concat([Buffer.from("fLaC"), Buffer.alloc(64)]), "audio/flac", "audio"],
  ["MP3", Buffer.from(`fffb9064${"00".repeat(600)}`, "hex"), "audio/mpeg", "audio"],
])("%s", async (_name, bytes, contentType, family) => {
  const sniffed = await sniff(bytes);
  expect(sniffed?.family).toBe(family);
  expect(isOfType(sniffed, contentType)).toBe(true);
});

test("sound may follow a tag, and a long tag is enough", async () => {
  const tag = (bytes: number) => Buffer.from([...Buffer.from("ID3\x04\0\0"), 0, 0, bytes >> 7, bytes & 0x7f]);
  const flac = Buffer.concat([tag(300), Buffer.alloc(300), Buffer.from("fLaC"), Buffer.alloc(64)]);
  expect(isOfType(await sniff(flac), "audio/flac")).toBe(true);
  expect(isOfType(await sniff(Buffer.concat([tag(3_000), Buffer.alloc(300)])), "audio/mpeg")).toBe(true);
  expect(await sniff(Buffer.concat([tag(3), Buffer.alloc(3), Buffer.from("%PDF-1.7....")]))).toBeNull();
});

/** An archive with a file whose end the library searches byte by byte. */
function zip(bytes: number): Buffer {
  const entry = Buffer.alloc(bytes, "P");
  const name = "[Content_Types].xml";
  Buffer.alloc(30).copy(entry);
  entry.write("PK\x03\x04");
  entry.writeUInt16LE(8, 6); // The size of the entry is written after its data.
  entry.writeUInt16LE(8, 8); // Compressed.
  entry.writeUInt16LE(name.length, 26);
  entry.write(name, 30);
  return entry;
}
function boxInZip(): Buffer {
  const archive = zip(sniffBytes);
  archive.write("ftyp", 4);
  return archive;
}
const ends = (beginning: string) => Buffer.concat([Buffer.from(beginning, "latin1"), zip(sniffBytes)]);

test.each([
  ["ZIP", zip(sniffBytes)],
  ["ZIP with the name of a box", boxInZip()],
  ["gzip", gzipSync(Buffer.alloc(20_000_000))],
  ["gzip with the name of a box", Buffer.from("1f8b0800667479700000", "hex")],
  ["ZIP behind a byte-order mark", ends("\xef\xbb\xbf")],
  ["ZIP behind a tag", ends("ID3\x04\0\0\0\0\0\0")],
  ["tags only", Buffer.from("ID3\x04\0\0\0\0\0\0".repeat(sniffBytes / 10), "latin1")],
  [
    "a PNG of many chunks",
    Buffer.from(`\x89PNG\r\n\x1a\n${"\0\0\0\0tEXt\0\0\0\0".repeat(80_000)}`, "latin1"),
  ],
  ["a WebM of many elements", Buffer.from(`1a45dfa3180fffff${"ec80".repeat(500_000)}`, "hex")],
])("a crafted file is judged at once: %s", async (_name, bytes) => {
  const judgedMs = async () => {
    const before = process.threadCpuUsage();
    const sniffed = await sniff(bytes);
    const { user, system } = process.threadCpuUsage(before);
    expect(sniffed?.family ?? "image").toBe("image");
    return (user + system) / 1000;
  };
  await expect.poll(judgedMs).toBeLessThan(judgedWithinMs);
});

test("a container may have only sound", async () => {
  expect(isOfType(await sniff(bytesOf(landscapeVideo)), "audio/mp4")).toBe(true);
  expect(isOfType(await sniff(webm), "audio/webm")).toBe(true);
  expect(isOfType(await sniff(webm), "video/mp4")).toBe(false);
});

test.each([
  ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
  ["HTML", "<!doctype html><script>alert(1)</script>"],
  ["a playlist", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n/etc/passwd\n"],
  ["PDF", "%PDF-1.7"],
  ["nothing", ""],
])("%s is not a media file", async (_name, text) => {
  expect(await sniff(Buffer.from(text))).toBeNull();
});
