import { writeFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import {
  keyIn,
  type MappedGateway,
  providerAt,
  startMappedGateway,
} from "#gateway/models/providers/testing/mapped-gateway.ts";
import { type OpenAiServer, startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import {
  type ReplicateServer,
  startReplicateServer,
} from "#gateway/models/providers/testing/replicate-server.ts";
import { call } from "#gateway/testing/gateway.ts";
import { orStoreFull, StoreFullError } from "./store-room.ts";
import { startS3Server } from "./testing/s3-server.ts";

const soon = { interval: 50 };
const picture = {
  model: "svc/img-gen-b",
  prompt: "a paper boat",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};
const video = { model: "svc/adult-i2v-2", prompt: "waves", image: smallImage, duration: 5 };
/** The errors of a full bucket in MinIO and Ceph. */
const quota = { status: 403, code: "QuotaExceeded" };
const noSpace = { status: 507, code: "XMinioStorageFull" };

let s3: Awaited<ReturnType<typeof startS3Server>>;
let upstream: OpenAiServer;
let jobs: ReplicateServer;
let mapped: MappedGateway;
let operator: string;
beforeAll(async () => {
  [s3, upstream, jobs] = await Promise.all([startS3Server(), startOpenAiServer(), startReplicateServer()]);
  mapped = await startMappedGateway(
    {
      providers: {
        main: providerAt(upstream, { credentials: keyIn("us-virginia", "sg-singapore") }),
        jobs: providerAt(jobs, { credentials: keyIn("us-virginia", "sg-singapore") }),
      },
      routes: [
        { models: [picture.model, "svc/chat-1"], provider: "main", upstream_model: "made" },
        { models: [video.model], provider: "jobs", upstream_model: "acme/video" },
      ],
    },
    { s3: { bucket: "bucket", endpoint: s3.endpoint, region: "us-east-1", prefix: "" } },
  );
  operator = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
});
afterAll(async () => {
  await mapped.close();
  await Promise.all([s3.close(), upstream.close(), jobs.close()]);
});
afterEach(() => {
  s3.full = null;
});

const said = async () => {
  const { body } = await call(mapped.gateway, operator, "GET", "/operator/health");
  const ready = await fetch(mapped.gateway.url.replace("/v1", "/readyz"));
  return { readyz: [ready.status, await ready.json()], isKnown: body.store_full_since !== null };
};
const saysFull = { readyz: [200, { status: "ok", store: "full" }], isKnown: true };
const saysRoom = { readyz: [200, { status: "ok" }], isKnown: false };

it("keeps an upstream's output until there is room, and reports meanwhile that the store is full", async () => {
  s3.full = quota;
  const { body } = await mapped.post("/images/generations", picture);
  await vi.waitFor(async () => expect(await said()).toEqual(saysFull), soon);
  s3.full = null;
  expect(await mapped.ended(String(body.id))).toMatchObject({ status: "succeeded" });
  expect(upstream.created()).toHaveLength(1);
  expect(await said()).toEqual(saysRoom);
});

it("keeps the result of a job that it polls", async () => {
  const { body } = await mapped.post("/videos", video);
  await jobs.next(/predictions$/);
  s3.full = noSpace;
  await vi.waitFor(async () => expect(await said()).toEqual(saysFull), soon);
  s3.full = null;
  expect(await mapped.ended(String(body.id))).toMatchObject({ status: "succeeded" });
});

it("fails at the deadline of the run and names the full store", async () => {
  s3.full = quota;
  const before = upstream.seen.length;
  const { config } = mapped.gateway.context;
  const usualMs = config.predictionDeadlineMs;
  config.predictionDeadlineMs = 6_000;
  onTestFinished(() => {
    config.predictionDeadlineMs = usualMs;
  });
  const { body } = await mapped.post("/images/generations", picture);
  expect(await mapped.ended(String(body.id))).toMatchObject({
    status: "failed",
    error: { code: "service_unavailable", message: expect.stringContaining("object store is full") },
  });
  expect(upstream.seen.length).toBe(before + 1);
});

it("answers 503 to an upload for which there is no room", async () => {
  s3.full = quota;
  const bytes = Buffer.from(smallImage.split(",")[1] ?? "", "base64");
  const upload = { filename: "a.png", content_type: "image/png", size_bytes: bytes.length };
  const { body } = await mapped.post("/uploads", upload);
  const { upload_url: url, headers } = body as { upload_url: string; headers?: Record<string, string> };
  const put = await fetch(url, {
    method: "PUT",
    body: bytes,
    headers: { "content-type": "image/png", ...headers },
  });
  expect(put.status).toBe(503);
  expect(await put.json()).toMatchObject({
    error: { code: "service_unavailable", message: expect.stringContaining("object store is full") },
  });
});

it("recognises a full disk, and nothing else, from Node's error", async () => {
  const full: unknown = await writeFile("/dev/full", "x").catch((error) => error);
  expect(orStoreFull(full)).toBeInstanceOf(StoreFullError);
  expect(orStoreFull(full)).toMatchObject({ message: expect.stringContaining("disk is full") });
  const missing: unknown = await writeFile("/nowhere/at/all", "x").catch((error) => error);
  expect(orStoreFull(missing)).toBe(missing);
});
