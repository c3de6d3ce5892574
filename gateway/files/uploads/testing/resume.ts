import { request as send } from "node:http";
import * as tus from "tus-js-client";
import type { Upload } from "#contract/upload.ts";

export const MiB = 1024 * 1024;

/** The beginning of a real MP4, then bytes without repetition. */
export function movie(sizeBytes: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  // A simple generator, because real random bytes of this length would take longer than sending them.
  let state = seed;
  for (let at = 0; at + 4 <= sizeBytes; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes.writeUInt32LE(state, at);
  }
  bytes.write("\0\0\0\x18ftypmp42\0\0\0\0mp42isom", 0, "latin1");
  return bytes;
}

export const tusHeaders = { "tus-resumable": "1.0.0" };

/** Requests the offset. */
export async function offsetOf(upload: Upload): Promise<number> {
  const answer = await fetch(upload.resume_url ?? "", { method: "HEAD", headers: tusHeaders });
  if (answer.status !== 200) throw new Error(`HEAD answered ${answer.status}`);
  return Number(answer.headers.get("upload-offset"));
}

/** Appends bytes like a client that has the whole file. */
export function append(
  upload: Upload,
  offset: number,
  bytes: Buffer,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(upload.resume_url ?? "", {
    method: "PATCH",
    headers: {
      ...tusHeaders,
      "content-type": "application/offset+octet-stream",
      "upload-offset": String(offset),
      ...headers,
    },
    body: new Uint8Array(bytes),
  });
}

/** Sends all of `bytes` as one PATCH, and cuts the connection after `cutAfter` bytes were written. */
export function appendAndCut(upload: Upload, offset: number, bytes: Buffer, cutAfter: number): Promise<void> {
  return new Promise((resolve) => {
    const request = send(upload.resume_url ?? "", {
      method: "PATCH",
      headers: {
        ...tusHeaders,
        "content-type": "application/offset+octet-stream",
        "upload-offset": offset,
        "content-length": bytes.length,
      },
    });
    request.on("error", () => {});
    request.on("close", () => resolve());
    request.write(bytes.subarray(0, cutAfter), () => request.destroy());
  });
}

interface Sending {
  /** Called with the number of bytes sent so far; its errors are ignored. */
  onProgress?: (sentBytes: number) => void;
  chunkSize?: number;
  /** Replaces the URL of `upload`. */
  url?: string;
  retryDelays?: number[];
}

/** Sends the bytes with the unmodified tus client, which first asks for the offset. */
export function sendByTus(upload: Upload, bytes: Buffer, options: Sending = {}): Promise<void> {
  const {
    onProgress,
    chunkSize,
    url,
    retryDelays = [100, 200, 500, 1000, 2000, 3000, 5000, 5000, 5000],
  } = options;
  return new Promise((resolve, reject) => {
    new tus.Upload(bytes as unknown as Blob, {
      uploadUrl: url ?? upload.resume_url,
      ...(chunkSize !== undefined && { chunkSize }),
      retryDelays,
      onProgress: (sent) => onProgress?.(sent),
      onError: reject,
      onSuccess: () => resolve(),
    }).start();
  });
}
