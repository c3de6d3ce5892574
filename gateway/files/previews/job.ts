import { uploadMaxBytes } from "#contract/upload-constants.ts";
import type { FfmpegBackend } from "#gateway/files/ffmpeg/detect.ts";

/** A child's job: draw `file` in `folder` as `preview.webp` next to it. */
export interface PreviewJob {
  folder: string;
  /** The verified type of the bytes. */
  contentType: string;
  ffmpeg: FfmpegBackend;
}

/** The names of the files in a job's folder. */
export const fileName = "file";
export const previewName = "preview.webp";

/** A child's answer. */
export interface PreviewAnswer {
  /** Null: the preview was drawn. Otherwise the reason why not. */
  failure: string | null;
  /** Processor time that the child has used so far. */
  cpuMs: number;
}

export const previewQuality = 75;
/** The largest preview, because it is read into memory. */
export const previewBytes = 1024 ** 2;
export const waveformBars = 64;
export const waveformHeightPx = 256;

/** The largest file that gets a preview: the largest possible upload. */
export const fileBytes = Math.max(...Object.values(uploadMaxBytes));
/** The largest picture or video frame that is decoded. */
export const inputPixels = 100_000_000;
/** At most this many seconds of a sound are decoded. */
export const soundSeconds = 3_600;
/** The sample rate for decoding a compressed sound. */
export const soundRate = 8_000;

/** Previews that a process makes at once, each in its own child process. */
export const drawsAtOnce = 2;
/** At most this many previews wait for their turn, per account and in total. */
export const waitingPerAccount = 32;
export const waiting = 256;
/** How long a request waits for a preview, including the wait for its turn. */
export const patienceMs = 60_000;
export const retryAfterSeconds = 5;

/**
 * Most files take a fraction of a second, so one that takes longer than this is probably crafted to be slow.
 */
export const drawTimeoutMs = 30_000;
/**
 * Loading the decoders takes a fraction of a second, so an idle child stays for a while, but not for ever.
 */
export const idleMs = 60_000;
/** A child that has used this much processor time is not reused. */
export const childCpuMs = 120_000;
/**
 * Limits of a child process, if the platform supports them. The limit of processor time also ends a child
 * whose gateway was killed.
 */
export const childLimits = {
  dataBytes: 1.5 * 1024 ** 3,
  fileBytes: 256 * 1024 ** 2,
  openFiles: 256,
  cpuSeconds: 300,
};
export const childHeapMegabytes = 256;

/**
 * After this time another process may make a preview that a process has claimed. If both finish, one of the
 * two previews is kept.
 */
export const claimMs = 120_000;
/** How often a process checks whether another process has finished a preview. */
export const askAgainMs = 200;
/** How long an expired claim of a killed process is kept. */
export const abandonedSeconds = 3_600;
