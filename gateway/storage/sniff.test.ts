import { expect, test } from "vitest";
import { duskImage, landscapeVideo, smallImage, speechAudio } from "#gateway/catalog/example-media.ts";
import { isOfType, sniff } from "./sniff.ts";

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
