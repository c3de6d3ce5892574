import type { Readable } from "node:stream";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { nextTurn } from "#gateway/platform/core/event-loop.ts";
import { nothingCounted, refuseManyValues } from "#gateway/platform/http/body-bounds.ts";

interface Part {
  mimetype: string;
  filename?: string | undefined;
}

/** What the multipart parser may hand over as a stream: files, and JSON parts, which it would parse unbounded. */
export function isPartAFile(_name: string | undefined, type: string | undefined, filename?: string): boolean {
  return (
    filename !== undefined ||
    type === "application/octet-stream" ||
    isJson({ mimetype: type ?? "", filename })
  );
}

/** A part without a file name and with a JSON content type. */
export function isJson({ mimetype, filename }: Part): boolean {
  return filename === undefined && mimetype.startsWith("application/json");
}

/** The text parts of one multipart body: together they may be as large as a JSON body of the route. */
export class TextParts {
  readonly #maxBytes: number;
  #bytes = 0;
  #counted = nothingCounted;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The value of a text part, whole. Throws `request_too_large`. */
  accept({ value, valueTruncated }: { value: unknown; valueTruncated: boolean }): string {
    const text = String(value);
    if (valueTruncated) throw this.#tooLarge();
    this.#add(Buffer.byteLength(text));
    this.#count(text);
    return text;
  }

  /** The value of a JSON part. Throws `request_too_large` or `invalid_json`. */
  async readJson(stream: Readable): Promise<unknown> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) {
      this.#add(chunk.length);
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString("utf8");
    await nextTurn();
    this.#count(text);
    await nextTurn();
    try {
      return JSON.parse(text);
    } catch {
      throw new ApiError("invalid_json", "A part of the body is declared as JSON but is not valid JSON.");
    }
  }

  /** Only what may be read as JSON: a comma in prose is no value. */
  #count(text: string): void {
    if (/^\s*[[{]/.test(text)) this.#counted = refuseManyValues(text, this.#counted);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw this.#tooLarge();
  }

  #tooLarge(): ApiError {
    return new ApiError("request_too_large", `The text of the body is larger than ${this.#maxBytes} bytes.`);
  }
}
