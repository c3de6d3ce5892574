import type { Readable } from "node:stream";
import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { NoS3Error, verified } from "./failure.ts";

interface File {
  sizeBytes: number;
  contentType: string;
  /** In hexadecimal. */
  sha256: string;
}

/**
 * An attempt may take this long. A large file gets more time, as long as the receiver reads at
 * `slowestBytesPerSecond`.
 */
const leastMs = 60_000;
const slowestBytesPerSecond = 256_000;

/**
 * Writes an object as a stream, so that memory does not grow with the file. The server's owner finds the hash
 * in its metadata. Throws the errors that `failureOf` knows.
 */
export async function putFile(
  client: S3Client,
  place: { Bucket: string; Key: string },
  { sizeBytes, contentType, sha256 }: File,
  bytes: Readable,
  signal: AbortSignal,
): Promise<number> {
  const totalMs = leastMs + Math.ceil((sizeBytes / slowestBytesPerSecond) * 1000);
  const Body = verified(sha256);
  // If one of the two streams fails, the other one ends with an error.
  bytes.once("error", (error) => Body.destroy(error));
  Body.once("close", () => bytes.destroy());
  bytes.pipe(Body);
  try {
    const answer = await client.send(
      new PutObjectCommand({
        ...place,
        Body,
        ContentLength: sizeBytes,
        ContentType: contentType,
        Metadata: { sha256 },
      }),
      { abortSignal: AbortSignal.any([signal, AbortSignal.timeout(totalMs)]) },
    );
    if (!answer.ETag)
      throw new NoS3Error(
        "The server does not answer like an S3 server. Check the address and the path style.",
      );
    return answer.$metadata.httpStatusCode ?? 200;
  } finally {
    Body.on("error", () => {}).destroy();
  }
}
