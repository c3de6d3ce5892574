import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import type { Config } from "#gateway/core/config.ts";
import { assertObjectKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";
import { withRetry } from "./s3-retry.ts";
import { spool } from "./spool.ts";

type S3Settings = NonNullable<Config["s3"]>;

/**
 * Objects in an S3 bucket (AWS, MinIO, R2…); credentials come from the environment as the AWS SDK reads them. Bytes are
 * spooled to a file in `spoolFolder` first, so that the size is known and an aborted upload leaves nothing.
 */
export function openS3Store(settings: S3Settings, spoolFolder: string): ObjectStore {
  const client = new S3Client({
    region: settings.region,
    ...(settings.endpoint && { endpoint: settings.endpoint, forcePathStyle: true }),
    // Checksum trailers are AWS's own; other S3 servers refuse them.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const at = (key: string) => {
    assertObjectKey(key);
    return { Bucket: settings.bucket, Key: settings.prefix + key };
  };

  return {
    async put(key, body, { contentType, maxBytes }) {
      const place = at(key);
      const { file, sizeBytes, sha256 } = await spool(body, spoolFolder, maxBytes);
      try {
        // The SDK itself cannot repeat a stream.
        await withRetry(async () => {
          const Body = createReadStream(file);
          const content = { Body, ContentLength: sizeBytes, ContentType: contentType };
          try {
            await client.send(new PutObjectCommand({ ...place, ...content }));
          } finally {
            Body.destroy();
          }
        });
      } finally {
        await rm(file, { force: true });
      }
      return { sizeBytes, sha256 };
    },
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await unlessMissing(
        client.send(new GetObjectCommand({ ...at(key), ...(Range && { Range }) })),
      );
      if (!found?.Body) return null;
      const whole = Number(found.ContentRange?.split("/")[1] ?? found.ContentLength ?? 0);
      const contentType = found.ContentType ?? "application/octet-stream";
      return { stream: found.Body as Readable, sizeBytes: whole, contentType };
    },
    async head(key) {
      const found = await unlessMissing(client.send(new HeadObjectCommand(at(key))));
      if (!found) return null;
      const contentType = found.ContentType ?? "application/octet-stream";
      return { sizeBytes: found.ContentLength ?? 0, contentType };
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },
    close: async () => client.destroy(),
  };
}

async function unlessMissing<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null;
    throw error;
  }
}
