/** One run of ffmpeg in a job folder. Files are named inside the folder; arguments hold no word of a user. */
export interface FfmpegRun {
  folder: string;
  args: string[];
  reads: string[];
  writes: string[];
  /** Told the seconds of output that are done. */
  progress?: (seconds: number) => void;
  /** The field to blame when the input cannot be read. */
  param: string | null;
}
