import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import type { Config } from "#gateway/platform/core/config.ts";
import { assertObjectKey, NotRemovedError, type ObjectStore } from "./object-store.ts";
import { s3Parts } from "./s3-parts.ts";
import { withRetry } from "./s3-retry.ts";
import { spool } from "./spool.ts";
import { orStoreFull } from "./store-room.ts";

type S3Settings = NonNullable<Config["s3"]>;

/** S3's own limit. */
const deletedAtOnce = 1_000;
const deleteMs = 30_000;

/**
 * Objects in an S3 bucket (AWS, MinIO, R2…); credentials come from the environment in the AWS SDK's usual
 * way. Bytes are first written to a file in `spoolFolder`, so that the size is known and an aborted upload
 * leaves nothing.
 */
export function openS3Store(settings: S3Settings, spoolFolder: string): ObjectStore {
  const client = new S3Client({
    region: settings.region,
    ...(settings.endpoint && { endpoint: settings.endpoint, forcePathStyle: true }),
    // Only AWS supports checksum trailers; other S3 servers refuse them.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const at = (key: string) => {
    assertObjectKey(key);
    return { Bucket: settings.bucket, Key: settings.prefix + key };
  };

  const head: ObjectStore["head"] = async (key) => {
    const found = await unlessMissing(client.send(new HeadObjectCommand(at(key))));
    if (!found) return null;
    const contentType = found.ContentType ?? "application/octet-stream";
    return { sizeBytes: found.ContentLength ?? 0, contentType };
  };

  return {
    head,
    async put(key, body, { contentType, maxBytes }) {
      const place = at(key);
      const { file, sizeBytes, sha256 } = await spool(body, spoolFolder, maxBytes);
      try {
        // The SDK cannot repeat a stream itself.
        await withRetry(async () => {
          const Body = createReadStream(file);
          const content = { Body, ContentLength: sizeBytes, ContentType: contentType };
          try {
            await client.send(new PutObjectCommand({ ...place, ...content }));
          } finally {
            Body.destroy();
          }
        });
      } catch (error) {
        throw orStoreFull(error);
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
    async delete(keys) {
      const named = new Map(keys.map((key) => [at(key).Key, key]));
      const refused: string[] = [];
      let cause: unknown;
      for (const Keys of chunksOf([...named.keys()], deletedAtOnce)) {
        const answer = await client.send(deletion(settings.bucket, Keys), {
          abortSignal: AbortSignal.timeout(deleteMs),
        });
        for (const { Key = "", Code, Message } of answer.Errors ?? []) {
          if (Code === "NoSuchKey") continue;
          refused.push(named.get(Key) ?? Key);
          cause ??= new Error(Message ?? Code);
        }
      }
      if (refused.length > 0) throw new NotRemovedError(refused, cause);
    },
    parts: s3Parts(client, at, head),
    close: async () => client.destroy(),
  };
}

/**
 * Uses an MD5 checksum, which every S3 server supports; the SDK's default works only with AWS and a few
 * others.
 */
function deletion(Bucket: string, keys: string[]): DeleteObjectsCommand {
  const Objects = keys.map((Key) => ({ Key }));
  const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers, body } = args.request as { headers: Record<string, string>; body: string };
      for (const name of Object.keys(headers)) if (/^x-amz-(sdk-)?checksum-/.test(name)) delete headers[name];
      headers["content-md5"] = createHash("md5").update(body).digest("base64");
      return next(args);
    },
    { step: "build", priority: "low", name: "contentMd5" },
  );
  return command;
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

async function unlessMissing<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null;
    throw error;
  }
}
