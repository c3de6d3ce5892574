import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ALL_FORMATS, FilePathSource, Input } from "mediabunny";
import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { markText } from "./mark.ts";
import { finish, startSandbox, type TestMedia } from "./testing/fixture.ts";
import { clip, picture, recording } from "./testing/media.ts";

const test = shared(startSandbox);

const videoMs = 120_000;

async function film(model: string, input: Record<string, unknown>, media: TestMedia[] = [], from = test) {
  const { status, seen } = await finish(
    from.sandbox,
    await from.request(model, "video-generation", input, media),
  );
  if (status.state !== "succeeded")
    throw new Error(`${status.state}: ${status.state === "failed" ? status.error.message : ""}`);
  const [output] = status.outputs;
  if (!output || !("file" in output)) throw new Error("no file");
  const measured = new Input({ formats: ALL_FORMATS, source: new FilePathSource(output.file) });
  const video = await measured.getPrimaryVideoTrack();
  const audio = await measured.getPrimaryAudioTrack();
  const seconds = await video?.computeDuration();
  measured.dispose();
  const size = [await video?.getDisplayWidth(), await video?.getDisplayHeight()];
  return {
    bytes: await readFile(output.file),
    size,
    seconds,
    hasAudio: audio !== null,
    usage: status.usage,
    seen,
  };
}

const image = async (field: string, color = "#557799"): Promise<TestMedia> => ({
  path: field,
  kind: "image",
  bytes: await picture(160, 160, color),
});
const video = (field: string): TestMedia => ({ path: field, kind: "video", bytes: clip });
const sound = (field: string): TestMedia => ({ path: field, kind: "audio", bytes: recording });

describe("videos from words", () => {
  it(
    "have the requested size, length and sound, and are shown as running while they are made",
    async () => {
      const made = await film("adult-vid-1", {
        prompt: "A forest at dawn",
        duration: 2,
        resolution: "480P",
        ratio: "9:16",
        audio: true,
      });
      expect(made).toMatchObject({
        size: [480, 854],
        hasAudio: true,
        usage: { unit: "second", quantity: 2 },
      });
      expect(made.seconds).toBeCloseTo(2, 1);
      expect(made.bytes.includes(markText)).toBe(true);
      expect(made.seen.some(({ state }) => state === "running")).toBe(true);
    },
    videoMs,
  );

  it(
    "have the same bytes for the same seed and others for another; silent if no sound is requested",
    async () => {
      const input = { prompt: "dunes", duration: 2, resolution: "480P", ratio: "1:1", audio: false, seed: 3 };
      const one = await film("adult-vid-1", input);
      expect(one).toMatchObject({ size: [480, 480], hasAudio: false });
      expect((await film("adult-vid-1", input)).bytes.equals(one.bytes)).toBe(true);
      expect((await film("adult-vid-1", { ...input, seed: 4 })).bytes.equals(one.bytes)).toBe(false);
    },
    videoMs,
  );
});

describe("videos from media", () => {
  const size480 = { duration: 2, resolution: "480P" };
  it.each([
    [
      "adult-i2v-2",
      { prompt: "wind", ...size480, image: "a", last_image: "b" },
      ["/image", "/last_image"],
      [480, 480],
    ],
    [
      "adult-i2v-3",
      { prompt: "wind", ...size480, image: "a", loras: [{ url: "https://models.example.com/x", scale: 2 }] },
      ["/image"],
      [480, 480],
    ],
  ] as const)(
    "%s has the ratio of its picture",
    async (model, input, fields, size) => {
      const media = await Promise.all(fields.map((field) => image(field)));
      expect(await film(model, input, media)).toMatchObject({ size });
    },
    videoMs,
  );

  it(
    "VID-R2V shows references and mixes a voice",
    async () => {
      const media = [
        { type: "reference_image", url: "a" },
        { type: "reference_video", url: "b", reference_voice: "c" },
      ];
      const files = [await image("/media/0/url"), video("/media/1/url"), sound("/media/1/reference_voice")];
      const made = await film("vid-r2v", { prompt: "a walk", media, duration: 2, resolution: "720P" }, files);
      expect(made).toMatchObject({ size: [1280, 720], hasAudio: true });
    },
    videoMs,
  );

  it(
    "VID-EDIT keeps the width and height of its clip",
    async () => {
      const media = [{ type: "video", url: "a" }];
      const made = await film("vid-edit", { prompt: "red", media, duration: 2 }, [video("/media/0/url")]);
      expect(made).toMatchObject({ size: [1280, 720] });
    },
    videoMs,
  );

  it.each(["animate", "replace"])(
    "ADULT-ANIMATE does %s by showing both inputs",
    async (mode) => {
      const input = { image: "a", video: "b", mode, duration: 5, resolution: "480P" };
      const made = await film("adult-animate", input, [await image("/image"), video("/video")]);
      expect(made).toMatchObject({ size: [854, 480], usage: { unit: "second", quantity: 5 } });
    },
    videoMs,
  );

  it(
    "ADULT-UPSCALE really scales, and cuts at its duration",
    async () => {
      const made = await film("adult-upscale", { video: "a", duration: 1, resolution: "720P" }, [
        video("/video"),
      ]);
      expect(made).toMatchObject({ size: [1280, 720], usage: { unit: "second", quantity: 1 } });
    },
    videoMs,
  );
});

describe("the life of a job", () => {
  const input = { prompt: "sea", duration: 2, resolution: "480P", ratio: "16:9", audio: false, seed: 9 };

  it(
    "continues in another process that never started it, and ends with the same bytes",
    async () => {
      const whole = await film("adult-vid-1", input);
      const request = await test.request("adult-vid-1", "video-generation", input);
      const { ref } = await test.sandbox.start(request);
      const other = await startSandbox();
      try {
        let status = await other.sandbox.status(ref, request);
        while (status.state === "queued" || status.state === "running") {
          await new Promise((resolve) => setTimeout(resolve, 300));
          status = await other.sandbox.status(ref, request);
        }
        if (status.state !== "succeeded") throw new Error(status.state);
        const [output] = status.outputs;
        expect(output && "file" in output && (await readFile(output.file)).equals(whole.bytes)).toBe(true);
      } finally {
        await other.close();
      }
    },
    videoMs,
  );

  it("stops when it is canceled and leaves no file after its removal", async () => {
    const request = await test.request("adult-vid-1", "video-generation", { ...input, duration: 30 });
    const { ref } = await test.sandbox.start(request);
    expect(await test.sandbox.cancel(ref, request)).toBe("canceled");
    expect(await test.sandbox.status(ref, request)).toEqual({ state: "canceled" });
    await test.sandbox.forget?.(ref);
    expect(existsSync(path.join(test.settings.dataDir, "sandbox", request.id))).toBe(false);
  });
});

describe("without ffmpeg on the machine", () => {
  it(
    "the WebAssembly build makes a video of the same size and length",
    async () => {
      const bare = await startSandbox({ ffmpegPath: "none" });
      try {
        const input = { prompt: "hills", duration: 2, resolution: "480P", ratio: "4:3", audio: true };
        const made = await film("adult-vid-1", input, [], bare);
        expect(made).toMatchObject({ size: [640, 480], hasAudio: true });
        expect(made.seconds).toBeCloseTo(2, 1);
      } finally {
        await bare.close();
      }
    },
    videoMs,
  );
});
