import { randomBytes } from "node:crypto";
import type { DestinationTest } from "#contract/copies.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { type Bucket, openBuckets } from "./buckets.ts";
import { failureOf, NoS3Error } from "./failure.ts";

const content = Buffer.from("Gatehouse wrote this to test a destination. It may be removed.\n");
const totalMs = 30_000;

/**
 * Writes a small object, checks that it exists and removes it. Keys that may only write are enough: the
 * object then stays, and the answer says so.
 */
export async function tryBucket(
  config: Pick<Config, "webhooks">,
  bucket: Bucket & { prefix: string },
): Promise<DestinationTest> {
  const { DeleteObjectCommand, HeadObjectCommand, PutObjectCommand } = await import("@aws-sdk/client-s3");
  const buckets = openBuckets(config);
  const client = await buckets.clientOf(bucket);
  const place = {
    Bucket: bucket.bucket,
    Key: `${bucket.prefix}gatehouse-test-${randomBytes(6).toString("hex")}.txt`,
  };
  const limits = { abortSignal: AbortSignal.timeout(totalMs) };
  try {
    await client.send(new PutObjectCommand({ ...place, Body: content, ContentType: "text/plain" }), limits);
    const size = await client.send(new HeadObjectCommand(place), limits).then(
      ({ ContentLength }) => ContentLength,
      (error: unknown) => {
        // Without the permission to read, a missing object also answers 403.
        if (failureOf(error).statusCode === 403) return null;
        throw error;
      },
    );
    if (size !== null && size !== content.length)
      throw new NoS3Error(
        "The test object was accepted but is not in the bucket, so this is not the address of an S3 server. Check the address and the path style.",
      );
    const isRemoved = await client.send(new DeleteObjectCommand(place), limits).then(
      () => true,
      () => false,
    );
    const warning = isRemoved
      ? null
      : `Files can be copied. These keys may not remove objects, so ${place.Key} is still in the bucket.`;
    return { object: "destination.test", ok: true, error: null, warning, written: place.Key };
  } catch (error) {
    const { error: failed } = failureOf(error);
    return { object: "destination.test", ok: false, error: failed, warning: null, written: null };
  } finally {
    client.destroy();
    await buckets.close();
  }
}
