import type { S3Client } from "@aws-sdk/client-s3";
import type { Config } from "#gateway/platform/core/config.ts";
import { createGuardedAgent } from "#gateway/platform/network/address-guard.ts";
import { guardedHandler } from "./request-handler.ts";

/** Where a bucket is, and who writes there. */
export interface Bucket {
  endpointUrl: string;
  region: string;
  bucket: string;
  pathStyle: boolean;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Reaches buckets by the same rules as webhooks: public addresses, https, the settings' ports, no redirects. */
export interface Buckets {
  clientOf(bucket: Bucket): Promise<S3Client>;
  close(): Promise<void>;
}

/** Otherwise the SDK writes to the console, beside the log. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

export function openBuckets({ webhooks }: Pick<Config, "webhooks">): Buckets {
  const { ports, allowCidrs, caFile, timeoutMs } = webhooks;
  const agent = createGuardedAgent({ ports, allowCidrs, caFile, connectTimeoutMs: timeoutMs });
  const requestHandler = guardedHandler(agent);
  return {
    async clientOf({ endpointUrl, region, pathStyle, accessKeyId, secretAccessKey }) {
      const sdk = await import("@aws-sdk/client-s3");
      return new sdk.S3Client({
        endpoint: endpointUrl,
        region,
        forcePathStyle: pathStyle,
        credentials: { accessKeyId, secretAccessKey },
        requestHandler,
        // Repeating is the worker's, and a stream cannot be repeated.
        maxAttempts: 1,
        // Checksum trailers are AWS's own; other S3 servers refuse them.
        requestChecksumCalculation: "WHEN_REQUIRED",
        responseChecksumValidation: "WHEN_REQUIRED",
        // Nothing of this machine's own AWS settings.
        useFipsEndpoint: false,
        useDualstackEndpoint: false,
        useArnRegion: false,
        disableS3ExpressSessionAuth: true,
        disableMultiregionAccessPoints: true,
        logger: silent,
        defaultUserAgentProvider: async () => [["Gatehouse", "1"]],
      });
    },
    close: () => agent.close(),
  };
}
