import type { FfmpegBackend, JobMedia } from "../jobs/spec.ts";

/** What every task of the media process works with. */
export interface JobContext {
  /** The job folder: inputs lie in it, outputs and temporary files go into it. */
  folder: string;
  media: JobMedia[];
  ffmpeg: FfmpegBackend;
  /** Says how far the job is, in percent, and lets the process hear that it should stop. */
  progress(percent: number): Promise<void>;
}
