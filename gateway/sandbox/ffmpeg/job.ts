/** One run of ffmpeg in a job folder. File names are relative to it; no argument has a user's text. */
export interface FfmpegRun {
  folder: string;
  args: string[];
  reads: string[];
  writes: string[];
  /** Called with the seconds of output that are done. */
  progress?: (seconds: number) => void;
  /** The field to blame when the input cannot be read. */
  param: string | null;
}
