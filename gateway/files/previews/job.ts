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
