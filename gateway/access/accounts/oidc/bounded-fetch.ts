import type { CustomFetch } from "openid-client";

/** Metadata, keys, tokens and claims are a few kilobytes. */
const maxAnswerBytes = 1_000_000;
export const timeoutSeconds = 10;

/** Reads an answer of the identity provider whole: at most so many bytes, in so much time, without redirects. */
export const boundedFetch: CustomFetch = async (url, options) => {
  const signal = options.signal ?? AbortSignal.timeout(timeoutSeconds * 1000);
  const response = await fetch(url, { ...options, signal } as RequestInit);
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > maxAnswerBytes) throw new Error(`the answer of ${new URL(url).host} is too large`);
    pieces.push(piece);
  }
  const { status, headers } = response;
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? Buffer.concat(pieces) : null, { status, headers });
};
