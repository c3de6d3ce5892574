import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, inject, test } from "vitest";
import { landscapeVideo, speechAudio } from "#gateway/catalog/example-media.ts";
import { bytesOf } from "../testing/upstream-server.ts";
import { measureFile } from "./probe.ts";

function fileOf(bytes: Buffer): string {
  const file = path.join(mkdtempSync(path.join(inject("testServer").folder, "probe-")), "clip");
  writeFileSync(file, bytes);
  return file;
}

test("clips are measured from their bytes", async () => {
  expect(await measureFile(fileOf(bytesOf(landscapeVideo)), "video")).toEqual({
    width: expect.any(Number),
    height: expect.any(Number),
    duration: expect.any(Number),
  });
  expect(await measureFile(fileOf(bytesOf(speechAudio)), "audio")).toEqual({ duration: expect.any(Number) });
});

/** An mp3 without a length in its header: every frame has to be read. */
function slowClip(megabytes: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: Math.ceil((megabytes * 1_000_000) / 417) }, () => frame));
}

test("a clip that is slow to measure is given up after a while", async () => {
  expect(await measureFile(fileOf(slowClip(20)), "audio", 50)).toEqual({});
});

test("a file that is not a clip has no measures", async () => {
  expect(await measureFile(fileOf(Buffer.from("not a clip")), "video")).toEqual({});
});
