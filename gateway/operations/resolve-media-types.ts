import type { Readable } from "node:stream";
import { ApiError } from "#gateway/core/api-error.ts";

export interface SourceRequest {
  accountId: string;
  /** What the caller wrote into the field. */
  text: string;
  /** The field, for errors. */
  param: string;
  maxBytes: number;
  signal: AbortSignal;
}

export interface MediaSource {
  body: Readable | Buffer;
  /** Always called, whether or not the body was read. */
  close(): Promise<void>;
}

export function tooLarge(param: string, maxBytes: number): ApiError {
  return new ApiError("input_too_large", `${param} is larger than ${maxBytes} bytes.`, { param });
}
