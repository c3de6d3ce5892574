import { uploadMaxBytes } from "#contract/upload-constants.ts";

/** All limits of previews. */

export const previewQuality = 75;
/** A preview is never larger: it is read into memory. */
export const previewBytes = 1024 ** 2;
/** The bars of a waveform. */
export const waveformBars = 64;
export const waveformHeightPx = 256;

/** The largest file that gets a preview: as large as any upload. */
export const fileBytes = Math.max(...Object.values(uploadMaxBytes));
/** The largest picture or video frame that is decoded. */
export const inputPixels = 100_000_000;
/** The most that is heard of a sound, in seconds. */
export const soundSeconds = 3_600;
/** The rate at which a compressed sound is decoded. */
export const soundRate = 8_000;

/** Previews that a process makes at once, each in a child process. */
export const drawsAtOnce = 2;
/** How many of an account, and altogether, may wait for their turn. */
export const waitingPerAccount = 32;
export const waiting = 256;
/** How long a request waits for a preview, and for its turn before. */
export const patienceMs = 60_000;
export const retryAfterSeconds = 5;

/** A file that takes longer is crafted to be slow: most take a fraction of a second. */
export const drawTimeoutMs = 30_000;
/** Loading the decoders takes a part of a second, so a child stays for a while, and not for ever. */
export const idleMs = 60_000;
/** A child that has used this much processor time is not used again. */
export const childCpuMs = 120_000;
/** Bounds of a child, where the platform has them; its own processor time ends it should the gateway be killed. */
export const childLimits = {
  dataBytes: 1.5 * 1024 ** 3,
  fileBytes: 256 * 1024 ** 2,
  openFiles: 256,
  cpuSeconds: 300,
};
export const childHeapMegabytes = 256;

/** Afterwards another process may take over. If the first still lives, one of their two previews is kept. */
export const claimMs = 120_000;
/** How often a process asks whether another one is done. */
export const askAgainMs = 200;
/** How long the claim of a killed process stays, after its time. */
export const abandonedSeconds = 3_600;
