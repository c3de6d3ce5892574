import { writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { landscapeVideo, speechAudio } from "#gateway/models/catalog/example-media.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { bytesOf } from "../testing/upstream-server.ts";
import { measureFile, pictureSize } from "./probe.ts";

function fileOf(bytes: Buffer): string {
  const file = path.join(newFolder("probe"), "clip");
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

/** An mp3 without a length in its header, so that every frame has to be read. */
function slowClip(megabytes: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: Math.ceil((megabytes * 1_000_000) / 417) }, () => frame));
}

test("stops measuring a clip that takes too long", async () => {
  expect(await measureFile(fileOf(slowClip(20)), "audio", 50)).toEqual({});
});

test("a file that is not a clip has no measures", async () => {
  expect(await measureFile(fileOf(Buffer.from("not a clip")), "video")).toEqual({});
});

const pixels = { create: { width: 33, height: 17, channels: 4, background: "#8040" } } as const;
const pictureKinds = ["png", "jpeg", "webp", "gif"] as const;
const orientations = [1, 3, 6, 8];

test.each(pictureKinds)(
  "the size of a %s equals the size after decoding and rotating it for display",
  async (kind) => {
    for (const orientation of orientations) {
      const file = fileOf(await sharp(pixels).withMetadata({ orientation }).toFormat(kind).toBuffer());
      const { autoOrient } = await sharp(file).metadata();
      expect(await measureFile(file, "image"), `orientation ${orientation}`).toEqual(autoOrient);
    }
  },
);

test("finds the size of every kind of WebP, and of a JPEG with a long profile and comments", async () => {
  for (const lossless of [true, false])
    for (const background of ["#804020", "#8040"]) {
      const bytes = await sharp({ create: { ...pixels.create, background } })
        .webp({ lossless })
        .toBuffer();
      expect(await pictureSize(fileOf(bytes))).toEqual({ width: 33, height: 17 });
    }
  const progressive = await sharp(pixels).withIccProfile("p3").jpeg({ progressive: true }).toBuffer();
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(0xfffd, "c")]);
  const commented = Buffer.concat([progressive.subarray(0, 2), comment, comment, progressive.subarray(2)]);
  expect(await pictureSize(fileOf(commented))).toEqual({ width: 33, height: 17 });
});

test("a damaged picture has no size or a plausible one, and never fails", async () => {
  for (const kind of pictureKinds) {
    const whole = await sharp(pixels).withMetadata({ orientation: 6 }).toFormat(kind).toBuffer();
    for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 40)) {
      const size = await pictureSize(fileOf(whole.subarray(0, length)));
      if (size) expect([33, 17]).toContain(size.width);
    }
    const damaged = Buffer.from(whole).fill(0xff, 12);
    const size = await pictureSize(fileOf(damaged));
    if (size) expect(size.width * size.height).toBeLessThanOrEqual(200_000_000);
  }
});
