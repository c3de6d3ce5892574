import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { type ObjectStore, type PartStore, PartsLostError } from "./object-store.ts";
import { withRetry } from "./s3-retry.ts";
import { orStoreFull } from "./store-room.ts";

/** The multipart upload was completed or aborted, by another process or by a rule of the bucket. */
const unknownNames = new Set(["NoSuchUpload", "404"]);
/** A part is not the stored one: its sender had lost its turn, and another sender stored the same part. */
const lostNames = new Set(["InvalidPart", "InvalidPartOrder", "EntityTooSmall"]);

/** Parts as S3's multipart uploads: S3 itself joins them, without another transfer. */
export function s3Parts(
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
      if (!begun.UploadId) throw new Error("S3 began a multipart upload without naming it");
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
        // Completed earlier, by a process that then died or by an attempt whose answer was lost.
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

/** Uses the retries of a put, and its error if there is no room. */
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
