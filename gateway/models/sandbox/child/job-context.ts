import type { FfmpegBackend } from "#gateway/files/ffmpeg/detect.ts";
import type { JobMedia } from "../jobs/spec.ts";

/** The context of every task in the media process. */
export interface JobContext {
  /** The job folder, with inputs, outputs and temporary files. */
  folder: string;
  media: JobMedia[];
  ffmpeg: FfmpegBackend;
  /** Reports the progress in percent. Awaiting it also lets the process receive a request to stop. */
  progress(percent: number): Promise<void>;
}
