import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
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

/**
 * Replaces the file by a pipe to which nobody writes, so that its process draws until it is killed. Returns a
 * function that puts the file back.
 */
function blockFile({ folder }: PreviewJob): () => void {
  const [file, kept] = [path.join(folder, "file"), path.join(folder, "kept")];
  renameSync(file, kept);
  execFileSync("mkfifo", [file]);
  return () => renameSync(kept, file);
}

const isDrawn = ({ folder }: PreviewJob) =>
  stat(path.join(folder, "preview.webp")).then(
    () => true,
    () => false,
  );

/** The drawing processes of this one, from /proc. */
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
  "draws again once if its process was killed, then gives up",
  async () => {
    const [once, twice] = [await job(clip, "video/mp4"), await job(clip, "video/mp4")];
    const unblock = blockFile(once);
    blockFile(twice);
    const resting = drawing();
    for (const pid of resting) process.kill(pid, "SIGKILL");
    // Waits until this process has noticed their end; before that it might give them work.
    await vi.waitUntil(() => !resting.some((pid) => existsSync(`/proc/${pid}`)));
    const killed = new Set<number>();
    const drawn = draw(once);
    await killNext(killed);
    // Before anything here can notice that the process was killed, and start the next one.
    unblock();
    expect([await drawn, await isDrawn(once)]).toEqual([null, true]);
    // The process that is idle now draws the next preview.
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
  ["a GIF of four billion pixels", gif({ side: 65_535 }), "image/gif", /exceeds pixel limit/],
  ["a sound that is none", Buffer.from("RIFF____WAVE"), "audio/wav", /./],
])("does not open %s", async (_what, bytes, type, why) => {
  const hostile = await job(bytes, type);
  expect(await draw(hostile)).toMatch(why);
  expect(await isDrawn(hostile)).toBe(false);
});

it("draws the first of a hundred thousand pictures, however long the rest takes", async () => {
  const endless = await job(gif({ side: 64, frames: 100_000 }), "image/gif");
  expect([await draw(endless), await isDrawn(endless)]).toEqual([null, true]);
});

it("gives up a video whose blocks never end, and ends its process", async () => {
  const endless = await job(webm(60_000_000), "video/webm");
  expect(await draw(endless, 10_000)).toMatch(/./);
  expect(await isDrawn(endless)).toBe(false);
});

/** A video without any key frame, in blocks of one byte. */
function webm(bytes: number): Buffer {
  const element = (id: string, ...parts: (string | Buffer)[]) => {
    const data = Buffer.concat(
      parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(part, "hex"))),
    );
    return Buffer.concat([Buffer.from(id, "hex"), Buffer.from([0x80 | data.length]), data]);
  };
  const unknownSize = "01ffffffffffffff";
  const size = element("e0", element("b0", "40"), element("ba", "40"));
  const codec = element("86", Buffer.from("V_VP8"));
  const track = element("ae", element("d7", "01"), element("73c5", "01"), element("83", "01"), codec, size);
  return Buffer.concat([
    element("1a45dfa3", element("4282", Buffer.from("webm"))),
    Buffer.from(`18538067${unknownSize}`, "hex"),
    element("1549a966", element("2ad7b1", "0f4240")),
    element("1654ae6b", track),
    Buffer.from(`1f43b675${unknownSize}`, "hex"),
    element("e7", "00"),
    Buffer.alloc(bytes, element("a3", "8100000000")),
  ]);
}

/** An endless animation whose pictures declare their size but have one byte of pixels. */
function gif({ side, frames = 1 }: { side: number; frames?: number }): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(side, 0);
  size.writeUInt16LE(side, 2);
  const hex = (text: string) => Buffer.from(text, "hex");
  const frame = Buffer.concat([hex("2c00000000"), size, hex("000202440100")]);
  const rest = [
    hex("800000000000ffffff21ff0b4e45545343415045322e300301000000"),
    ...Array(frames).fill(frame),
  ];
  return Buffer.concat([Buffer.from("GIF89a"), size, ...rest, hex("3b")]);
}

it("draws the largest picture within its bounds of memory", async () => {
  const large = await job(bombPng(9_900), "image/png");
  expect([await draw(large), await isDrawn(large)]).toEqual([null, true]);
});
