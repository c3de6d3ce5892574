import { hash, randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { CopyDetail, Destination, DestinationTest } from "#contract/copies.ts";
import type { Output } from "#contract/outputs.ts";
import {
  keyIn,
  type MappedGateway,
  providerAt,
  startMappedGateway,
} from "#gateway/models/providers/testing/mapped-gateway.ts";
import {
  type ReplicateServer,
  startReplicateServer,
} from "#gateway/models/providers/testing/replicate-server.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { type Store, startStore } from "#gateway/testing/cluster/store.ts";
import { webhooksTo } from "#gateway/testing/config.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call } from "#gateway/testing/gateway.ts";

/** An S3 server that is neither ours nor Amazon's: OpenStack Swift. */
const minutes = 300_000;
/** Noise, which no format compresses: larger than a part of an S3 upload, and than any buffer in between. */
const side = 2_400;
let store: Store;
let upstream: ReplicateServer;
let mapped: MappedGateway;
const settings = () => ({
  name: "Swift",
  endpoint_url: store.settings.S3_ENDPOINT,
  region: "us-east-1",
  bucket: store.settings.S3_BUCKET,
  prefix: "made/by-gateway/",
  access_key_id: store.settings.AWS_ACCESS_KEY_ID,
  secret_access_key: store.settings.AWS_SECRET_ACCESS_KEY,
});

beforeAll(async () => {
  const folder = newFolder("swift");
  const authority = await makeAuthority(folder);
  [store, upstream] = await Promise.all([startStore(folder, authority.local), startReplicateServer()]);
  const pixels = randomBytes(side * side * 3);
  const bytes = await sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
  upstream.files.set("/large", { contentType: "image/png", bytes });
  upstream.end = { status: "succeeded", output: [`${upstream.origin}/large`] };
  const routes = [{ models: ["svc/img-gen-a-2"], provider: "hosts", upstream_model: "acme/any" }];
  mapped = await startMappedGateway(
    {
      providers: {
        hosts: providerAt(upstream, { credentials: keyIn("sg-singapore") }),
      },
      routes,
    },
    { webhooks: webhooksTo(Number(new URL(store.settings.S3_ENDPOINT ?? "").port), authority) },
  );
}, minutes);
afterAll(async () => {
  await mapped.close();
  await Promise.all([store.close(), upstream.close()]);
}, minutes);

const send = (method: string, target: string, body?: unknown) =>
  call(mapped.gateway, mapped.account.session, method, target, body);

async function make(body: Record<string, unknown>): Promise<Output[]> {
  const before = (await send("GET", "/outputs?limit=1")).body.first_id;
  const made = await send("POST", "/images/generations", { prompt: "a lighthouse", ...body });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return (await send("GET", `/outputs${before ? `?before=${before}` : ""}`)).body.data as Output[];
}

async function createDestination(): Promise<string> {
  const { status, body } = await send("POST", "/destinations", settings());
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as unknown as Destination).id;
}

async function copy(output: Output, destination: string): Promise<string> {
  return String((await send("POST", `/outputs/${output.id}/copies`, { destination })).body.id);
}

const copyWhen = (id: string, state: CopyDetail["status"]) =>
  vi.waitFor(
    async () => {
      const found = (await send("GET", `/copies/${id}`)).body as unknown as CopyDetail;
      expect(found.status, JSON.stringify(found.attempt_log)).toBe(state);
      return found;
    },
    { timeout: 60_000, interval: 100 },
  );

/** Expects the copy to have the same bytes as the output. */
async function arrived(id: string, { provenance, url }: Output): Promise<void> {
  const { object_name: name } = await copyWhen(id, "succeeded");
  const made = Buffer.from(await (await fetch(url ?? "")).arrayBuffer());
  const there = hash("sha256", await store.read(name ?? ""));
  expect([there, hash("sha256", made)]).toEqual([provenance.sha256, provenance.sha256]);
}

it("reports wrong keys, bucket or region, and success when all are right", {
  timeout: minutes,
}, async () => {
  const tried = async (more: Record<string, string>) => {
    const { name: _, ...place } = settings();
    return (await send("POST", "/destinations/test", { ...place, ...more }))
      .body as unknown as DestinationTest;
  };
  expect(await tried({})).toMatchObject({ ok: true, warning: null });
  expect(await tried({ secret_access_key: "another" })).toMatchObject({ error: { code: "wrong_keys" } });
  expect(await tried({ access_key_id: "test:nobody" })).toMatchObject({ error: { code: "wrong_keys" } });
  expect(await tried({ bucket: "nobody-made-this" })).toMatchObject({ error: { code: "bucket_not_found" } });
  expect(await tried({ region: "eu-central-1" })).toMatchObject({ error: { code: "wrong_region" } });
  // The destination test removed its object.
  expect(await store.keys()).toEqual([]);
});

it("has the bytes of small and large files", { timeout: minutes }, async () => {
  const destination = await createDestination();
  const outputs = [
    ...(await make({ model: "svc/img-gen-a-1", size: "256x256", n: 3 })),
    ...(await make({ model: "svc/img-gen-a-2" })),
  ];
  expect(Math.max(...outputs.map((output) => output.size_bytes))).toBeGreaterThan(16_000_000);
  const ids = await Promise.all(outputs.map((output) => copy(output, destination)));
  for (const [index, output] of outputs.entries()) await arrived(ids[index] ?? "", output);
});

it("has the whole file or none of it when the server stops midway; a retry copies it", {
  timeout: minutes,
}, async () => {
  const destination = await createDestination();
  const [output] = (await make({ model: "svc/img-gen-a-2" })) as [Output];
  const before = await store.keys();
  store.stopsAfterBytes = 5_000_000;
  const id = await copy(output, destination);
  const { attempt_log: log } = await copyWhen(id, "failed");
  expect(log[0]).toMatchObject({ error: { code: "no_connection" } });
  await store.startAgain();
  expect(await store.keys()).toEqual(before);
  expect((await send("POST", `/copies/${id}/retry`)).status).toBe(202);
  await arrived(id, output);
});
