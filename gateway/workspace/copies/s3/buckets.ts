import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import type { Agent, Dispatcher } from "undici";
import type { DestinationTest } from "#contract/copies.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { createGuardedAgent } from "#gateway/platform/network/address-guard.ts";
import { exchange } from "#gateway/platform/network/exchange.ts";
import { assertMayLeave } from "#gateway/platform/network/quiet.ts";
import { failureOf, NoS3Error } from "./failure.ts";

/** A bucket and the keys to write there. */
export interface Bucket {
  endpointUrl: string;
  region: string;
  bucket: string;
  pathStyle: boolean;
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Accesses buckets under the same rules as webhooks: public addresses, https, the allowed ports, no
 * redirects.
 */
export interface Buckets {
  clientOf(bucket: Bucket): Promise<S3Client>;
  close(): Promise<void>;
}

/** By default the SDK would print to the terminal, past the log. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

export function openBuckets({ webhooks }: Pick<Config, "webhooks">): Buckets {
  const { ports, allowCidrs, caFile, timeoutMs } = webhooks;
  const agent = createGuardedAgent({ ports, allowCidrs, caFile, connectTimeoutMs: timeoutMs });
  const requestHandler = guardedHandler(agent);
  return {
    async clientOf({ endpointUrl, region, pathStyle, accessKeyId, secretAccessKey }) {
      assertMayLeave();
      const sdk = await import("@aws-sdk/client-s3");
      return new sdk.S3Client({
        endpoint: endpointUrl,
        region,
        forcePathStyle: pathStyle,
        credentials: { accessKeyId, secretAccessKey },
        requestHandler,
        // The worker retries, and a stream cannot be repeated.
        maxAttempts: 1,
        // Only AWS supports checksum trailers; other S3 servers refuse them.
        requestChecksumCalculation: "WHEN_REQUIRED",
        responseChecksumValidation: "WHEN_REQUIRED",
        // Ignores this machine's own AWS settings.
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

/** The parts of the SDK's request that are sent. */
interface SdkRequest {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

/** S3's answers to these requests are short, but the server's owner decides their length. */
const maxAnswerBytes = 65_536;
/** A request ends after this time without progress of its body, or without an answer. */
const idleMs = 60_000;

type Handler = Extract<NonNullable<S3ClientConfig["requestHandler"]>, { handle: unknown }>;

/** Sends the requests of an S3 client through the address guard, which never follows redirects. */
function guardedHandler(agent: Agent): Handler {
  const handler = {
    async handle(request: SdkRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
      const { method, protocol, hostname, port, headers, body } = request;
      const sent = exchange(
        agent,
        {
          origin: `${protocol}//${hostname}${port === undefined ? "" : `:${port}`}`,
          path: pathOf(request),
          method: method as Dispatcher.HttpMethod,
          headers: withoutExpect(headers),
          body: (body ?? null) as Dispatcher.DispatchOptions["body"],
          headersTimeout: idleMs,
          bodyTimeout: idleMs,
        } as Dispatcher.DispatchOptions,
        { maxBytes: maxAnswerBytes, ...(abortSignal && { signal: abortSignal }) },
      );
      const answer = await sent.answer;
      return {
        response: {
          statusCode: answer.status,
          headers: singleValues(answer.headers),
          body: Readable.from([Buffer.concat(sent.chunks)]),
        },
      };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  };
  return handler as unknown as Handler;
}

function pathOf({ path, query = {} }: SdkRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? ""].flat().map((one) => `${encoded(name)}=${encoded(one)}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Undici cannot send `Expect: 100-continue`, which the SDK adds to bodies and never signs. */
function withoutExpect(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "expect"));
}

function singleValues(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
  );
}

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
