import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder } from "#gateway/testing/folder.ts";
import { detectFfmpeg } from "./detect.ts";

/** A program that reports a version and encoders like ffmpeg. */
async function program(version: string, encoders: string): Promise<string> {
  const file = path.join(newFolder("ffmpeg"), "ffmpeg");
  await writeFile(
    file,
    `#!/bin/sh\ncase "$1" in -version) echo "ffmpeg version ${version}";; *) printf '${encoders}';; esac\n`,
  );
  await chmod(file, 0o755);
  return file;
}
const both = " V....D libx264 x\\n A....D aac x\\n";

describe("finding ffmpeg", () => {
  it("uses a program that can encode", async () => {
    const path = await program("6.1-static", both);
    expect((await detectFfmpeg(path)).backend).toEqual({ kind: "native", path, encoder: "libx264" });
  });

  it.each([
    ["is too old", "4.1.9", both],
    ["has no H.264", "6.0", " A....D aac x\\n"],
    ["has no AAC", "6.0", " V....D libx264 x\\n"],
  ])("uses the WebAssembly build when the program %s", async (_, version, encoders) => {
    const { backend, skipped } = await detectFfmpeg(await program(version, encoders));
    expect(backend).toEqual({ kind: "core" });
    expect(skipped).toHaveLength(1);
  });

  it("says when there is no program, and when it does not start", async () => {
    const broken = await program("6.0", both);
    await chmod(broken, 0o644);
    expect((await detectFfmpeg("/nowhere/ffmpeg")).skipped).toEqual(["/nowhere/ffmpeg: not installed"]);
    expect((await detectFfmpeg(broken)).skipped).toEqual([`${broken}: does not start`]);
  });

  it("ignores the program when the setting says so", async () => {
    expect(await detectFfmpeg("none")).toEqual({ backend: { kind: "core" }, skipped: [] });
  });
});
