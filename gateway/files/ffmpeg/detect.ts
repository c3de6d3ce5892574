import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { bareEnvironment } from "#gateway/platform/core/limited-process.ts";

const probeTimeoutMs = 10_000;
const oldestVersion = [4, 4] as const;
/** Best first; all of them encode H.264. */
const encoders = ["libx264", "libopenh264", "h264_videotoolbox", "h264_mf"] as const;
/** The value of `FFMPEG_PATH` that ignores any program on this machine. */
const noProgram = "none";

/** The video encoder and decoder: a program on this machine, the WebAssembly build, or none. */
export type FfmpegBackend =
  | { kind: "native"; path: string; encoder: string }
  | { kind: "core" }
  | { kind: "none" };

export interface DetectedFfmpeg {
  backend: FfmpegBackend;
  /** Why better backends were not used; for the log. */
  skipped: string[];
}

/**
 * Finds a video encoder: `setting` or `ffmpeg` on the PATH if it is recent and supports H.264 and AAC,
 * otherwise the WebAssembly build if it is installed, otherwise none.
 */
export async function detectFfmpeg(setting: string | null): Promise<DetectedFfmpeg> {
  const skipped: string[] = [];
  if (setting !== noProgram) {
    const path = setting ?? "ffmpeg";
    const found = await probeProgram(path);
    if ("encoder" in found) return { backend: { kind: "native", path, encoder: found.encoder }, skipped };
    skipped.push(`${path}: ${found.reason}`);
  }
  try {
    createRequire(import.meta.url).resolve("@ffmpeg/core");
    return { backend: { kind: "core" }, skipped };
  } catch {
    skipped.push("@ffmpeg/core is not installed");
  }
  return { backend: { kind: "none" }, skipped };
}

async function probeProgram(path: string): Promise<{ encoder: string } | { reason: string }> {
  const banner = await output(path, ["-version"]);
  if (banner === missing) return { reason: "not installed" };
  if (banner === null) return { reason: "does not start" };
  const version = /^ffmpeg version [nN]?(\d+)\.(\d+)/.exec(banner);
  // A build from git has a name instead of a number, and is recent enough.
  if (version) {
    const [major, minor] = [Number(version[1]), Number(version[2])];
    if (major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1]))
      return { reason: `version ${major}.${minor} is older than ${oldestVersion.join(".")}` };
  }
  const list = String(await output(path, ["-hide_banner", "-encoders"]));
  const has = (name: string) => new RegExp(`^ [A-Z.]{6} ${name} `, "m").test(list);
  const encoder = encoders.find(has);
  if (!encoder) return { reason: "has no H.264 encoder" };
  return has("aac") ? { encoder } : { reason: "has no AAC encoder" };
}

const missing = Symbol("there is no such program");

function output(path: string, args: string[]): Promise<string | typeof missing | null> {
  return new Promise((resolve) => {
    execFile(
      path,
      args,
      { env: bareEnvironment(), timeout: probeTimeoutMs, maxBuffer: 4_000_000 },
      (error, stdout) => resolve(error === null ? stdout : error.code === "ENOENT" ? missing : null),
    );
  });
}
