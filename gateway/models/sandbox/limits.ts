/** All limits of the sandbox. */

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
/** Output of a child process that is kept for the log. */
export const childLogBytes = 16_384;

/** Largest picture that is decoded. */
export const inputPixels = 50_000_000;
/** Largest video frame that is decoded: 8K. */
export const videoPixels = 33_177_600;
/** The most that is read of an audio or video input, in seconds. */
export const inputSeconds = 3600;
/** Largest video that is written. */
export const outputBytes = 1024 ** 3;
export const framesPerSecond = 24;

/** The most of a prompt that a caption shows, in characters. */
export const excerptCharacters = 120;
/** The longest preview of a voice, in characters: as much as the models of speech take. */
export const previewCharacters = 600;
/** The longest text about a voice that is kept, and shown in each list of voices. */
export const voiceTextCharacters = 2_000;
/** The most language hints of a voice that are kept. */
export const languageHints = 50;
/** The most of a prompt that a video speaks, in characters. */
export const spokenCharacters = 280;
