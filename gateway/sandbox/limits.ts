/** Video jobs that one gateway process runs at once. */
export const videoConcurrency = 1;
/** Picture, speech and measuring jobs that one gateway process runs at once. */
export const lightConcurrency = 2;
/** An async job is shown as queued or running for at least this long, so that callers see polling work. */
export const minimumVisibleMs = 1500;
/** JavaScript heap of a media process. */
export const childHeapMegabytes = 768;
/** Private memory of a media process and of each program it starts, if the platform can limit it. */
export const childDataBytes = 3 * 1024 ** 3;
/** Largest file a media process may write. */
export const childFileBytes = 2 * 1024 ** 3;
/** Files that a media process, and each program it starts, may have open at a time. */
export const childOpenFiles = 256;
/** How long a light job may run; videos take `SANDBOX_TIMEOUT_MS`. */
export const lightTimeoutMs = 60_000;
/** Bytes of a child process's output kept for the log. */
export const childLogBytes = 16_384;

/** Largest picture that is decoded. */
export const inputPixels = 50_000_000;
/** Largest video frame that is decoded: 8K. */
export const videoPixels = 33_177_600;
/** Seconds of an audio or video input that are read at most. */
export const inputSeconds = 3600;
/** Largest video that is written. */
export const outputBytes = 1024 ** 3;
export const framesPerSecond = 24;

/** Longest part of a prompt that a caption shows, in characters. */
export const excerptCharacters = 120;
/** The longest preview of a voice, in characters: the same as the speech models accept. */
export const previewCharacters = 600;
/** The longest stored text about a voice; every list of voices shows it. */
export const voiceTextCharacters = 2_000;
/** At most this many language hints of a voice are stored. */
export const languageHints = 50;
/** Longest part of a prompt that a video speaks, in characters. */
export const spokenCharacters = 280;
