import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { finish, startSandbox, type TestMedia } from "./testing/fixture.ts";
import { bombPng, clip, picture } from "./testing/media.ts";

const test = shared(startSandbox);

async function upscale(bytes: Buffer) {
  const media: TestMedia[] = [{ path: "/video", kind: "video", bytes }];
  const input = { video: "a", duration: 1, resolution: "720P" };
  return (await finish(test.sandbox, await test.request("adult-upscale", "video-generation", input, media)))
    .status;
}
async function edit(bytes: Buffer) {
  const media: TestMedia[] = [{ path: "/image/0", kind: "image", bytes }];
  return test.sandbox.execute(
    await test.request("img-gen-a-1", "image-editing", { prompt: "x", image: ["a"] }, media),
  );
}

describe("hostile inputs fail one job, naming the field", () => {
  it("a playlist that pretends to be a video and names another file", async () => {
    const secret = path.join(test.settings.dataDir, "secret.mp4");
    await writeFile(secret, clip);
    const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile:${secret}\n#EXT-X-ENDLIST\n`;
    expect(await upscale(Buffer.from(playlist))).toMatchObject({
      state: "failed",
      error: { code: "invalid_parameter", param: "video" },
    });
  });

  it.each([
    ["a video cut in half", clip.subarray(0, clip.length / 2)],
    ["a video of noise after its header", Buffer.concat([clip.subarray(0, 600), Buffer.alloc(4000, 7)])],
    ["nothing", Buffer.from("x")],
  ])("%s", async (_, bytes) => {
    expect(await upscale(bytes)).toMatchObject({
      state: "failed",
      error: { code: "invalid_parameter", param: "video" },
    });
  });

  it("a picture of 900 million pixels in a small file", async () => {
    const bomb = bombPng(30_000);
    expect(bomb.length).toBeLessThan(2_000_000);
    await expect(edit(bomb)).rejects.toMatchObject({ code: "invalid_parameter", param: "image[0]" });
  });

  it("a picture cut in half, and an SVG", async () => {
    const whole = await picture(400, 400, "#228844");
    await expect(edit(whole.subarray(0, whole.length / 2))).rejects.toMatchObject({ param: "image[0]" });
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
    );
    await expect(edit(svg)).rejects.toMatchObject({ code: "invalid_parameter", param: "image[0]" });
  });

  it("are followed by a job that runs normally", async () => {
    expect(await edit(await picture(100, 100, "#228844"))).toMatchObject({ kind: "images" });
  });
});

describe("a job that takes too long", () => {
  it("ends with an error that names the time limit", async () => {
    const hurried = await startSandbox({ sandboxTimeoutMs: 1000 });
    try {
      const input = { prompt: "x", duration: 30, resolution: "1080P", ratio: "16:9", audio: true };
      const request = await hurried.request("adult-vid-1", "video-generation", input);
      expect((await finish(hurried.sandbox, request)).status).toMatchObject({
        state: "failed",
        error: { code: "upstream_timeout" },
      });
    } finally {
      await hurried.close();
    }
  });
});
