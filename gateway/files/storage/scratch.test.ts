import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { newFolder } from "#gateway/testing/folder.ts";
import { deadAfterMs, openScratch } from "./scratch.ts";

describe("scratch space", () => {
  let root: string;
  beforeEach(() => {
    root = newFolder("scratch");
  });

  it("gives private directories that are always removed afterwards", async () => {
    const scratch = await openScratch(root);
    const failing = scratch.withDirectory(async (directory) => {
      writeFileSync(path.join(directory, "a"), "private");
      throw new Error("broken");
    });
    await expect(failing).rejects.toThrow("broken");
    expect(readdirSync(scratch.folder)).toEqual([]);
    await scratch.close();
    expect(existsSync(scratch.folder)).toBe(false);
  });

  it("makes a lazy directory once, when it is first needed, and removes it", async () => {
    const scratch = await openScratch(root);
    const seen = await scratch.withLazyDirectory(async (open) => {
      const before = readdirSync(scratch.folder);
      const [one, same] = await Promise.all([open(), open()]);
      return { before, isSame: one === same, during: readdirSync(scratch.folder).length };
    });
    expect(seen).toEqual({ before: [], isSame: true, during: 1 });
    expect(readdirSync(scratch.folder)).toEqual([]);
    await scratch.close();
  });

  it("is created again when it was removed as dead while its process was suspended", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const scratch = await openScratch(root);
    rmSync(scratch.folder, { recursive: true });
    vi.advanceTimersByTime(deadAfterMs);
    await expect.poll(() => existsSync(scratch.folder)).toBe(true);
    await scratch.withDirectory(async (directory) => writeFileSync(path.join(directory, "a"), "private"));
    await scratch.close();
  });

  it("removes the files of a dead process, and none of a living one", async () => {
    const left = (name: string, silentMs: number) => {
      const folder = path.join(root, name);
      mkdirSync(folder);
      writeFileSync(path.join(folder, "picture"), "private");
      const at = new Date(Date.now() - silentMs);
      utimesSync(folder, at, at);
      return folder;
    };
    const dead = left("dead", deadAfterMs + 1_000);
    const living = left("living", deadAfterMs - 60_000);
    const own = await openScratch(root);
    expect([dead, living, own.folder].map((folder) => existsSync(folder))).toEqual([false, true, true]);
    await own.close();
  });
});
