import type { FfmpegBackend } from "#gateway/files/ffmpeg/detect.ts";

/** What a child draws: `file` in `folder`, as `preview.webp` beside it. */
export interface PreviewJob {
  folder: string;
  /** What the bytes are. */
  contentType: string;
  ffmpeg: FfmpegBackend;
}

/** The names of the files in a job's folder. */
export const fileName = "file";
export const previewName = "preview.webp";

/** What a child says when it is done. */
export interface PreviewAnswer {
  /** Null: the preview is there. Otherwise why there is none. */
  failure: string | null;
  /** What the child has used so far. */
  cpuMs: number;
}
