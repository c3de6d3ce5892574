import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import type { Config } from "#gateway/platform/core/config.ts";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import {
  assertObjectKey,
  NotRemovedError,
  type ObjectStore,
  type PartStore,
  PartsLostError,
} from "./object-store.ts";
import { spool } from "./scratch.ts";
import { orStoreFull } from "./store-room.ts";

type S3Settings = NonNullable<Config["s3"]>;

/** S3's own limit. */
const deletedAtOnce = 1_000;

const deleteMs = 30_000;

/**
 * The errors for a multipart upload that was completed or aborted, by another process or by a rule of the
 * bucket.
 */
const unknownNames = new Set(["NoSuchUpload", "404"]);

/**
 * The errors for a part that is no longer the stored one: its sender had lost its turn, and another sender
 * stored the same part.
 */
const lostNames = new Set(["InvalidPart", "InvalidPartOrder", "EntityTooSmall"]);

const attempts = 3;

const pauses: RetrySchedule = { firstMs: 100, factor: 2 };

/** Error names of Node and the SDK for a failed or broken connection. */
const networkFailures = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "TimeoutError",
]);

/** Temporary errors whose HTTP status does not show that they are temporary. */
const passingRefusals = new Set(["SlowDown", "RequestTimeout"]);

const tooManyRequests = 429;

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

/** Retries temporary failures after a pause. */
async function withRetry<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (made === attempts || !mayPass(error)) throw error;
      await sleep(retryWaitMs(pauses, made));
    }
  }
}

function mayPass(error: unknown): boolean {
  const { name, code, $metadata } = error as {
    name?: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode;
  if (status === undefined) return networkFailures.has(code ?? "") || networkFailures.has(name ?? "");
  return status >= 500 || status === tooManyRequests || passingRefusals.has(name ?? "");
}

/** Parts as S3's multipart uploads: S3 itself joins them, without another transfer. */
function s3Parts(
  client: S3Client,
  at: (key: string) => { Bucket: string; Key: string },
  head: ObjectStore["head"],
): PartStore {
  const abort = async (key: string, UploadId: string): Promise<void> => {
    await client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId })).catch((error) => {
      if (!isOneOf(unknownNames, error)) throw error;
    });
  };
  return {
    async begin(key, ContentType) {
      const begun = await storing(() =>
        client.send(new CreateMultipartUploadCommand({ ...at(key), ContentType })),
      );
      if (!begun.UploadId) throw new Error("S3 began a multipart upload but sent no UploadId");
      return begun.UploadId;
    },
    async put({ key, id }, number, { file, sizeBytes }) {
      const place = { ...at(key), UploadId: id, PartNumber: number, ContentLength: sizeBytes };
      try {
        const { ETag } = await storing(async () => {
          const Body = createReadStream(file);
          try {
            return await client.send(new UploadPartCommand({ ...place, Body }));
          } finally {
            Body.destroy();
          }
        });
        return ETag ?? "";
      } catch (error) {
        if (isOneOf(unknownNames, error))
          throw new PartsLostError(`parts of ${key} are gone`, { cause: error });
        throw error;
      } finally {
        await rm(file, { force: true });
      }
    },
    async complete({ key, id }, parts, { sizeBytes }) {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
      try {
        await storing(() =>
          client.send(
            new CompleteMultipartUploadCommand({ ...at(key), UploadId: id, MultipartUpload: { Parts } }),
          ),
        );
      } catch (error) {
        // Completed earlier by a process that then died, or by an attempt whose answer was lost.
        const isUnknown = isOneOf(unknownNames, error);
        if (isUnknown && (await head(key))?.sizeBytes === sizeBytes) return null;
        if (isUnknown || isOneOf(lostNames, error))
          throw new PartsLostError(`parts of ${key} are gone`, { cause: error });
        throw error;
      }
      return null;
    },
    async abort(key, id) {
      if (id !== null) return abort(key, id);
      const { Bucket, Key } = at(key);
      const open = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }));
      for (const { UploadId } of open.Uploads ?? []) if (UploadId) await abort(key, UploadId);
    },
  };
}

/** Retries like a put, and throws StoreFullError if there is no room. */
async function storing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await withRetry(work);
  } catch (error) {
    throw orStoreFull(error);
  }
}

function isOneOf(names: ReadonlySet<string>, error: unknown): boolean {
  return error instanceof S3ServiceException && names.has(error.name);
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
