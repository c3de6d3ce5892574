import type { ChatChoice, ChatChunk, SyncResult } from "#gateway/models/providers/provider.ts";
import type { StoredOutput } from "#gateway/platform/database/tables/predictions.ts";

/**
 * Asks guards about what a run made, once, before anybody gets it. Each method throws `content_blocked`, or
 * `guard_unavailable`: then nothing of the output is shown or kept.
 */
export interface OutputCheck {
  /** A whole result. Guards may have replaced its text. Images are asked about once they are stored: see `files`. */
  result(result: SyncResult): Promise<SyncResult>;
  /** Stored files, which nothing names yet. */
  files(outputs: readonly StoredOutput[]): Promise<void>;
  /**
   * Takes the next chunk of a stream, and returns the chunks that may be sent now. Null if nothing is held back: then
   * the text is asked about at its end.
   */
  take: ((chunk: ChatChunk) => Promise<readonly ChatChunk[]>) | null;
  /** The end of a stream: returns the chunks that were held back. */
  end(choices: ChatChoice[]): Promise<readonly ChatChunk[]>;
  /** What it has thrown; null: nothing yet. */
  readonly refusal: unknown;
}
