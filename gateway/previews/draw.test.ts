import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { bombPng, clip } from "#gateway/sandbox/testing/media.ts";
import { draw } from "./draw.ts";
import type { PreviewJob } from "./job.ts";

const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

async function job(bytes: Buffer, contentType: string): Promise<PreviewJob> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "preview-"));
  folders.push(folder);
  await writeFile(path.join(folder, "file"), bytes);
  return { folder, contentType, ffmpeg: { kind: "core" } };
}

const isDrawn = ({ folder }: PreviewJob) =>
  stat(path.join(folder, "preview.webp")).then(
    () => true,
    () => false,
  );

/** The processes that draw for this one, by what Linux says of them. */
function drawing(): number[] {
  return readdirSync("/proc").flatMap((entry) => {
    try {
      const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${entry}/status`, "utf8"))?.[1];
      const command = readFileSync(`/proc/${entry}/cmdline`, "utf8");
      return Number(parent) === process.pid && command.includes("previews/child/main.ts")
        ? [Number(entry)]
        : [];
    } catch {
      return [];
    }
  });
}

async function killNext(killed: Set<number>): Promise<void> {
  const pid = await vi.waitUntil(() => drawing().find((one) => !killed.has(one)), { interval: 1 });
  killed.add(pid);
  process.kill(pid, "SIGKILL");
}

it.runIf(process.platform === "linux")(
  "draws again if its process was killed, and gives up the second time",
  async () => {
    const [once, twice] = [await job(clip, "video/mp4"), await job(clip, "video/mp4")];
    const resting = drawing();
    for (const pid of resting) process.kill(pid, "SIGKILL");
    // Until this process knows that they have ended, it might give them work.
    await vi.waitUntil(() => !resting.some((pid) => existsSync(`/proc/${pid}`)));
    const killed = new Set<number>();
    const drawn = draw(once);
    await killNext(killed);
    expect([await drawn, await isDrawn(once)]).toEqual([null, true]);
    // The one that rests now is used for the next.
    const failed = draw(twice);
    await killNext(killed);
    await killNext(killed);
    expect(await failed).toBe("The process ended: SIGKILL");
  },
);

it("ends a process that takes too long", async () => {
  expect(await draw(await job(clip, "video/mp4"), 1)).toBe("It took longer than 1 ms");
});

it.each([
  ["a picture with more pixels than any screen", bombPng(60_000), "image/png", /exceeds pixel limit/],
  [
    "an SVG that says that it is a picture",
    Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "image/png",
    /unsupported image format/,
  ],
  [
    "a playlist that says that it is a video",
    Buffer.from("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"),
    "video/mp4",
    /unsupported|unrecognizable/i,
  ],
  ["a sound that is none", Buffer.from("RIFF____WAVE"), "audio/wav", /./],
])("does not open %s", async (_what, bytes, type, why) => {
  const hostile = await job(bytes, type);
  expect(await draw(hostile)).toMatch(why);
  expect(await isDrawn(hostile)).toBe(false);
});

it("draws the largest picture within its bounds of memory", async () => {
  const large = await job(bombPng(9_900), "image/png");
  expect([await draw(large), await isDrawn(large)]).toEqual([null, true]);
});
