import { parentPort, workerData } from "node:worker_threads";
import { ALL_FORMATS, FilePathSource, Input } from "mediabunny";
import type { Measured } from "./probe.ts";

/** Runs in its own thread (see `probe.ts`), which may be terminated at any moment: `workerData` is the file's path. */
async function measureClip(file: string): Promise<Measured> {
  const input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(file) });
  const video = await input.getPrimaryVideoTrack();
  const track = video ?? (await input.getPrimaryAudioTrack());
  if (!track) return {};
  const seconds = (await track.computeDuration()) - Math.max(0, await track.getFirstTimestamp());
  return {
    ...(video && { width: await video.getDisplayWidth(), height: await video.getDisplayHeight() }),
    ...(seconds > 0 && { duration: Math.round(seconds * 1000) / 1000 }),
  };
}

parentPort?.postMessage(await measureClip(String(workerData)));
