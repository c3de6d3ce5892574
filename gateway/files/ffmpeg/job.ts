/** One run of ffmpeg in a folder. File names are relative to it; no argument has a user's text. */
export interface FfmpegRun {
  folder: string;
  args: string[];
  reads: string[];
  writes: string[];
  /** Called with the seconds of output that are done. */
  progress?: (seconds: number) => void;
}

/** How a run ended, with the end of its log. */
export interface FfmpegEnd {
  ok: boolean;
  log: string;
}

/** The most of a log that is kept. */
export const logBytes = 16_384;
