import { hash } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startS3Server } from "#gateway/files/storage/testing/s3-server.ts";
import { duskImage, landscapeImage } from "#gateway/models/catalog/example-media.ts";
import { type MappedGateway, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import {
  type ReplicateServer,
  startReplicateServer,
} from "#gateway/models/providers/testing/replicate-server.ts";
import { call } from "#gateway/testing/gateway.ts";
import { type SignedFile, signedMedia } from "#gateway/testing/signed-media.ts";

const edit = { model: "svc/swap-1", image: [landscapeImage, duskImage], person_rights_confirmed: true };
const video = { model: "svc/adult-i2v-2", prompt: "waves", image: landscapeImage, duration: 5 };
const picture = { model: "svc/img-gen-a-2", prompt: "a lighthouse" };
const speech = { model: "svc/tts-b-2", input: "Good evening" };

const sha256 = (bytes: Buffer | Uint8Array) => hash("sha256", Buffer.from(bytes));
const fetched = async (url: unknown, headers: Record<string, string> = {}) =>
  Buffer.from(await (await fetch(String(url), { headers })).arrayBuffer());

describe.each(["disk", "S3"])("a file that an upstream signed, stored on %s", (place) => {
  let upstream: ReplicateServer;
  let s3: Awaited<ReturnType<typeof startS3Server>>;
  let mapped: MappedGateway;
  let files: Map<string, SignedFile>;
  beforeAll(async () => {
    [upstream, s3] = await Promise.all([startReplicateServer(), startS3Server()]);
    files = new Map((await signedMedia()).map((file) => [file.contentType, file]));
    for (const file of files.values()) upstream.files.set(pathOf(file.contentType), file);
    const provider = "hosts";
    const routes = [
      { models: ["svc/adult-i2v-2"], provider, upstream_model: "acme/i2v" },
      { models: ["svc/swap-1"], provider, upstream_model: "acme/swap:0123abcd" },
      { models: ["svc/img-gen-a-2", "svc/tts-b-2"], provider, upstream_model: "acme/any" },
    ];
    const credential = { env: "TEST_UPSTREAM_KEY" };
    const credentials = { "us-virginia": credential, "sg-singapore": credential };
    const hosts = { protocol: "replicate", base_url: `${upstream.origin}/v1`, credentials };
    const bucket = { bucket: "bucket", endpoint: s3.endpoint, region: "us-east-1", prefix: "" };
    mapped = await startMappedGateway({ providers: { hosts }, routes }, place === "S3" ? { s3: bucket } : {});
    upstream.polls = 0;
  });
  afterAll(async () => {
    await mapped.close();
    await Promise.all([upstream.close(), s3.close()]);
  });

  const pathOf = (contentType: string) => `/signed/${contentType}`;
  /** The upstream returns this file from now on. */
  function made(contentType: string): SignedFile {
    const file = files.get(contentType);
    if (!file) throw new Error(`No signed ${contentType}`);
    upstream.end = { status: "succeeded", output: [`${upstream.origin}${pathOf(contentType)}`] };
    return file;
  }

  it.each([
    ["image/png", "/images/edits", edit],
    ["image/jpeg", "/images/edits", edit],
    ["video/mp4", "/videos", video],
  ])("is returned unchanged: %s of a prediction", async (contentType, route, body) => {
    const { bytes } = made(contentType);
    const done = await mapped.run(route, body);
    expect(done).toMatchObject({ status: "succeeded", data: [{ content_type: contentType }] });
    const [file] = done.data ?? [];
    expect(file?.provenance?.sha256).toBe(sha256(bytes));
    expect(sha256(await fetched(file?.url))).toBe(sha256(bytes));
    // Fetched as a player does, and as the browser's ZIP does, which stores the fetched bytes.
    const parts = [
      await fetched(file?.url, { range: "bytes=0-999" }),
      await fetched(file?.url, { range: "bytes=1000-" }),
    ];
    expect(sha256(Buffer.concat(parts))).toBe(sha256(bytes));
    const { rows } = await mapped.gateway.context.database.pool.query(
      "select body from webhook_events where prediction_id = $1",
      [done.id],
    );
    const sent = JSON.parse(rows[0].body).data.object.data[0];
    expect(sent.provenance).toMatchObject({ state: "unknown", sha256: sha256(bytes) });
    expect(sha256(await fetched(sent.url))).toBe(sha256(bytes));
  });

  it("is returned unchanged in a sync answer, as a URL and inline", async () => {
    const { bytes } = made("image/png");
    const { body } = await mapped.post("/images/generations", picture);
    const [byAddress] = body.data as { url: string }[];
    expect(sha256(await fetched(byAddress?.url))).toBe(sha256(bytes));
    const inline = await mapped.post("/images/generations", { ...picture, response_format: "b64_json" });
    const [{ b64_json: base64 } = { b64_json: "" }] = inline.body.data as { b64_json: string }[];
    expect(sha256(Buffer.from(base64, "base64"))).toBe(sha256(bytes));
  });

  it("is returned unchanged as speech, and at the URL that agents get", async () => {
    const { bytes } = made("audio/wav");
    const { url } = mapped.gateway;
    const headers = { authorization: `Bearer ${mapped.account.key}`, "content-type": "application/json" };
    const answer = await fetch(`${url}/audio/speech`, {
      method: "POST",
      headers,
      body: JSON.stringify(speech),
    });
    expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(bytes));

    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } }),
    );
    const { model, ...input } = speech;
    const { structuredContent } = await client.callTool({ name: "run", arguments: { model, input } });
    const { output } = structuredContent as { output: string };
    expect(sha256(await fetched(output))).toBe(sha256(bytes));
    made("image/png");
    const edited = await client.callTool({
      name: "run",
      arguments: { model: "svc/img-gen-a-2", input: { prompt: "a lighthouse" }, show: true },
    });
    const shown = edited.content.find(({ type }) => type === "image") as { data: string } | undefined;
    expect(sha256(Buffer.from(shown?.data ?? "", "base64"))).toBe(
      sha256(files.get("image/png")?.bytes ?? Buffer.alloc(0)),
    );
    await client.close();
  });

  it("is returned unchanged in the ZIP of a batch", async () => {
    const { bytes } = made("image/png");
    const { key } = mapped.account;
    const { model, ...row } = picture;
    const { body } = await mapped.post("/batches", { model, api_type: "image-generation", rows: [row] });
    await expect
      .poll(async () => (await call(mapped.gateway, key, "GET", `/batches/${body.id}`)).body.status)
      .toBe("finished");
    const zip = await fetched(`${mapped.gateway.url}/batches/${body.id}/results.zip`, {
      authorization: `Bearer ${key}`,
    });
    // Stored, not compressed.
    expect(zip.includes(bytes)).toBe(true);
    const { body: newest } = await call(mapped.gateway, key, "GET", `/outputs?model=${model}&limit=1`);
    const [{ run_id } = { run_id: "" }] = newest.data as { run_id: string }[];
    // One request waits for the manifest for only a few seconds.
    await expect
      .poll(
        async () => (await call(mapped.gateway, key, "GET", `/outputs?prediction_id=${run_id}`)).body.data,
      )
      .toMatchObject([{ provenance: { state: "present", sha256: sha256(bytes) }, prediction_id: null }]);
  });
});
