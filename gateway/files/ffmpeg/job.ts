/** One run of ffmpeg in a folder. File names are relative to it; no argument contains a user's text. */
export interface FfmpegRun {
  folder: string;
  args: string[];
  reads: string[];
  writes: string[];
  /** Called with the seconds of output written so far. */
  progress?: (seconds: number) => void;
}

/** The result of a run, with the end of its log. */
export interface FfmpegEnd {
  ok: boolean;
  log: string;
}

/** Bytes of a log that are kept. */
export const logBytes = 16_384;
