import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { type FfmpegEnd, type FfmpegRun, logBytes } from "./job.ts";

/** The used part of the WebAssembly build of ffmpeg. */
interface FfmpegCore {
  exec(...args: string[]): void;
  /** The exit code; the log's "Aborted()" means nothing. */
  ret: number;
  setLogger(logger: (line: { type: string; message: string }) => void): void;
  setProgress(handler: (event: { progress: number; time: number }) => void): void;
  FS: {
    writeFile(name: string, data: Uint8Array): void;
    readFile(name: string): Uint8Array;
  };
}
type CoreFactory = (options: { wasmBinary: Uint8Array }) => Promise<FfmpegCore>;

/** Runs ffmpeg inside this process. Its files live in memory; it can see neither disk nor network. */
export async function runCore(run: FfmpegRun): Promise<FfmpegEnd> {
  const core = await load();
  let log = "";
  core.setLogger(({ message }) => {
    log = `${log}${message}\n`.slice(-logBytes);
  });
  core.setProgress(({ time }) => run.progress?.(time / 1e6));
  for (const name of run.reads) core.FS.writeFile(name, await readFile(path.join(run.folder, name)));
  core.exec(...run.args);
  if (core.ret !== 0) return { ok: false, log };
  for (const name of run.writes) await writeFile(path.join(run.folder, name), core.FS.readFile(name));
  return { ok: true, log };
}

/** A fresh instance for each run: a run may leave a broken state behind. */
async function load(): Promise<FfmpegCore> {
  const require = createRequire(import.meta.url);
  // The build assumes that it runs in a browser's worker and reads these two.
  Object.assign(globalThis, { self: globalThis, location: new URL("http://localhost/") });
  const { default: create }: { default: CoreFactory } = await import(
    path.join(path.dirname(require.resolve("@ffmpeg/core")), "..", "esm", "ffmpeg-core.js")
  );
  return create({ wasmBinary: await readFile(require.resolve("@ffmpeg/core/wasm")) });
}
