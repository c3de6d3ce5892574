import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { OutputCheck } from "#contract/outputs.ts";
import { reservedFileSweep } from "#gateway/files/storage/remove-files.ts";
import { png, verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { duskImage, landscapeImage } from "#gateway/models/catalog/example-media.ts";
import {
  type MappedGateway,
  providerAt,
  startMappedGateway,
} from "#gateway/models/providers/testing/mapped-gateway.ts";
import {
  type ReplicateServer,
  startReplicateServer,
} from "#gateway/models/providers/testing/replicate-server.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { predictionSweep } from "#gateway/runs/predictions/remove-data.ts";
import { fresh } from "#gateway/testing/fixture.ts";
import { call, refusal } from "#gateway/testing/gateway.ts";
import { type SignedFile, signedMedia, testIssuer } from "#gateway/testing/signed-media.ts";
import { outputHistorySweep } from "./record.ts";

const edit = { model: "svc/swap-1", image: [landscapeImage, duskImage], person_rights_confirmed: true };
const sandboxed = { model: "svc/img-gen-a-1", prompt: "a red lighthouse", size: "256x256" };
const signedClaims = {
  validation: "valid",
  generator: "Example Studio 2",
  digital_source_type: "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
  actions: ["c2pa.created"],
  signed_at: null,
};

let upstream: ReplicateServer;
let mapped: MappedGateway;
let signed: SignedFile[];
beforeAll(async () => {
  [upstream, signed] = await Promise.all([startReplicateServer(), signedMedia()]);
  mapped = await startMappedGateway({
    providers: { hosts: providerAt(upstream) },
    routes: [{ models: ["svc/swap-1"], provider: "hosts", upstream_model: "acme/swap:0123abcd" }],
    unmapped: "sandbox",
  });
  upstream.polls = 0;
});
const account = fresh(() => mapped.gateway.createAccount("adult", "portrait_rights"));
afterAll(async () => {
  await mapped.close();
  await upstream.close();
});

const fileOf = (contentType: string) => {
  const file = signed.find((one) => one.contentType === contentType);
  if (!file) throw new Error(`No signed ${contentType}`);
  return file.bytes;
};
const sha256 = (bytes: Buffer) => hash("sha256", bytes);
const sql = (text: string, ...values: unknown[]) => mapped.gateway.context.database.pool.query(text, values);
const get = (path: string, key = account.key) => call(mapped.gateway, key, "GET", path);
const listed = async (query = "") => (await get(`/outputs${query}`)).body.data as Record<string, unknown>[];
/** The files of a run once their manifests have been read. One request waits for that for only 5 s. */
const readFiles = (runId: unknown) =>
  vi.waitFor(async () => {
    const files = await listed(`?prediction_id=${runId}`);
    for (const { provenance } of files) expect(provenance).not.toMatchObject({ reason: "not_read" });
    return files;
  });

/** A prediction whose output is this file. */
async function makes(bytes: Buffer, contentType = "image/png"): Promise<string> {
  upstream.files.set("/out", { contentType, bytes });
  upstream.end = { status: "succeeded", output: [`${upstream.origin}/out`] };
  const { body } = await call(mapped.gateway, account.key, "POST", "/images/edits", edit, {
    prefer: "wait=30",
  });
  expect(body.status).toBe("succeeded");
  return String(body.id);
}

async function check(bytes: Buffer, key = account.key): Promise<OutputCheck> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)]), "file");
  const answer = await fetch(`${mapped.gateway.url}/outputs/verify`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as OutputCheck;
}

async function removeExpired(): Promise<void> {
  await sql("update predictions set expires_at = now() where account_id = $1", account.accountId);
  await sql("update generations set expires_at = now() where account_id = $1", account.accountId);
  await sweepAll(mapped.gateway.context, predictionSweep);
  await sweepAll(mapped.gateway.context, reservedFileSweep);
}

describe("outputs", () => {
  it("are listed with their signer and claims, which are stored once they have been read", async () => {
    const bytes = fileOf("image/png");
    const id = await makes(bytes);
    const before = await get(`/predictions/${id}`);
    const unread = { state: "unknown", reason: "not_read", sha256: sha256(bytes) };
    expect(before.body.data).toMatchObject([{ provenance: unread }]);
    const [output] = await readFiles(id);
    const provenance = { state: "present", issuer: testIssuer, claims: signedClaims, sha256: sha256(bytes) };
    expect(output).toMatchObject({
      object: "output",
      run_id: id,
      prediction_id: id,
      model: edit.model,
      provenance,
    });
    const { rows } = await sql("select manifest from outputs where run_id = $1", id);
    expect(rows).toMatchObject([{ manifest: { state: "present", issuer: testIssuer } }]);
    for (const path of [`/predictions/${id}`, "/predictions?limit=1"]) {
      const { body } = await get(path);
      const [{ data }] = ((body.data as { data?: unknown }[])[0]?.data ? body.data : [body]) as [
        { data: unknown },
      ];
      expect(data).toMatchObject([{ provenance }]);
    }
  });

  it("without a manifest are marked as such, also those of sync runs", async () => {
    await call(mapped.gateway, account.key, "POST", "/images/generations", { ...sandboxed, n: 2 });
    const [newest] = await listed();
    expect(newest?.provenance).toMatchObject({ state: "unknown", reason: "not_read" });
    const files = await readFiles(newest?.run_id);
    const provenance = {
      state: "absent",
      issuer: null,
      claims: null,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(files).toMatchObject([
      { prediction_id: null, model: sandboxed.model, provenance },
      { prediction_id: null, model: sandboxed.model, provenance },
    ]);
    const file = Buffer.from(await (await fetch(String(files[0]?.url))).arrayBuffer());
    expect(files[0]?.provenance).toMatchObject({ sha256: sha256(file) });
  });

  it("have pages and filters, and only their own account sees them", async () => {
    await call(mapped.gateway, account.key, "POST", "/images/generations", { ...sandboxed, n: 3 });
    await makes(fileOf("image/jpeg"), "image/jpeg");
    const all = await listed();
    expect(all.map(({ model }) => model)).toEqual([edit.model, ...Array(3).fill(sandboxed.model)]);
    const { body: first } = await get("/outputs?limit=2");
    expect(first.has_more).toBe(true);
    expect([...(first.data as object[]), ...(await listed(`?after=${first.last_id}`))]).toMatchObject(
      all.map(({ id }) => ({ id })),
    );
    expect(await listed(`?model=${edit.model}`)).toHaveLength(1);
    expect(await listed("?model=svc/other")).toEqual([]);
    expect((await get("/outputs?modle=x")).status).toBe(400);
    const [newest] = (await listed(`?model=${edit.model}`)) as { provenance?: { sha256: string } }[];
    const hash = newest?.provenance?.sha256;
    expect(await listed(`?sha256=${hash}`)).toMatchObject([{ model: edit.model }]);
    expect(await listed(`?sha256=${hash}&kind=audio`)).toEqual([]);
    expect(await listed(`?sha256=${hash}&kept=true`)).toEqual([]);
    const stranger = await mapped.gateway.createAccount();
    expect((await get(`/outputs?sha256=${hash}`, stranger.key)).body.data).toEqual([]);
    expect((await get("/outputs", stranger.key)).body.data).toEqual([]);
    expect((await get(`/outputs?prediction_id=${all[0]?.run_id}`, stranger.key)).body.data).toEqual([]);
  });

  it("can be filtered by model, caller and claim, whether sync or asynchronous", async () => {
    const { key } = account;
    const sent = { ...sandboxed, metadata: { customer: "acme" } };
    await call(mapped.gateway, key, "POST", "/images/generations", { ...sent, n: 2 });
    const speech = {
      model: "svc/tts-b-1",
      api_type: "text-to-speech",
      rows: [{ input: "hello", voice: "Cherry" }],
    };
    const batch = await call(mapped.gateway, key, "POST", "/batches", speech);
    await vi.waitFor(async () =>
      expect((await get(`/batches/${batch.body.id}`)).body.finished_at).toBeTruthy(),
    );
    await makes(fileOf("image/jpeg"), "image/jpeg");
    const made = async (query: string) =>
      (await listed(query)).map(({ api_type, sandbox }) => [api_type, sandbox]);
    const edited = ["image-editing", false];
    const spoken = ["text-to-speech", true];
    const generated = [
      ["image-generation", true],
      ["image-generation", true],
    ];
    expect(await made("")).toEqual([edited, spoken, ...generated]);
    expect(await made("?kind=audio")).toEqual([spoken]);
    expect(await made("?kind=image&api_type=image-editing")).toEqual([edited]);
    expect(await made("?kind=video")).toEqual([]);
    expect(await made("?metadata=customer%3Dacme")).toEqual(generated);
    expect(await made("?metadata=customer%3Dacme&kind=audio")).toEqual([]);
    const { rows: own } = await sql("select id from api_keys where account_id = $1", account.accountId);
    const keyId = own[0]?.id;
    expect(await made(`?key_id=${keyId}&model=${edit.model}`)).toEqual([edited]);
    expect(await made("?key_id=key_none")).toEqual([]);
    expect(await made(`?created_after=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
    expect((await get("/outputs?kind=text")).status).toBe(400);
  });

  it("lose their stored claims with their files, and their hash with the audit log", async () => {
    const bytes = fileOf("image/png");
    const id = await makes(bytes);
    await readFiles(id);
    await removeExpired();
    expect(await listed()).toEqual([]);
    const { rows } = await sql("select key, manifest, sha256 from outputs where run_id = $1", id);
    expect(rows).toEqual([{ key: null, manifest: null, sha256: sha256(bytes) }]);
    expect(await check(bytes)).toMatchObject({ made_here: { prediction_id: id, file_removed: true } });
    await sql("update outputs set id = 'out_00' || substr(id, 7) where run_id = $1", id);
    const { history } = mapped.gateway.context;
    await sweepAll({ ...mapped.gateway.context, history: { ...history, auditDays: 30 } }, outputHistorySweep);
    expect((await check(bytes)).made_here).toBeNull();
  });
});

describe("a file that is checked", () => {
  it("is read for everybody, but recognised by its bytes only for the account that made it", async () => {
    const bytes = fileOf("image/jpeg");
    const id = await makes(bytes, "image/jpeg");
    const provenance = { state: "present", issuer: testIssuer, claims: signedClaims, sha256: sha256(bytes) };
    const made_here = { prediction_id: id, run_id: id, model: edit.model, file_removed: false };
    expect(await check(bytes)).toMatchObject({
      object: "output.check",
      content_type: "image/jpeg",
      size_bytes: bytes.length,
      provenance,
      made_here,
    });
    const stranger = await mapped.gateway.createAccount();
    expect(await check(bytes, stranger.key)).toMatchObject({ provenance, made_here: null });
  });

  it.each(["video/mp4", "audio/wav"])("may be an upload: %s", async (contentType) => {
    const bytes = fileOf(contentType);
    const { reference } = await verifiedUpload(mapped.gateway, account.key, bytes, contentType);
    const { body } = await call(mapped.gateway, account.key, "POST", "/outputs/verify", {
      upload: reference,
    });
    expect(body).toMatchObject({
      content_type: contentType,
      provenance: { state: "present", issuer: testIssuer, claims: signedClaims },
      made_here: null,
    });
    const stranger = await mapped.gateway.createAccount();
    const theirs = await call(mapped.gateway, stranger.key, "POST", "/outputs/verify", { upload: reference });
    expect(theirs).toMatchObject(refusal(404, "upload_not_found"));
  });

  it("reports a file that was changed after signing, and a broken manifest", async () => {
    const changed = Buffer.from(fileOf("image/png"));
    const last = changed.length - 30;
    changed.writeUInt8(changed.readUInt8(last) ^ 1, last);
    expect((await check(changed)).provenance).toMatchObject({
      state: "present",
      claims: { validation: "invalid" },
    });
    const broken = Buffer.from(fileOf("image/png"));
    broken.fill(0, broken.indexOf("c2pa") + 60, broken.indexOf("c2pa") + 160);
    expect((await check(broken)).provenance).toMatchObject({
      state: "present",
      issuer: null,
      claims: { validation: "unreadable" },
    });
  });

  it("has no manifest, or a type that cannot have one", async () => {
    expect((await check(png)).provenance).toMatchObject({ state: "absent", sha256: sha256(png) });
    for (const bytes of [Buffer.from("hello"), Buffer.alloc(0), Buffer.alloc(300_000, "jum")])
      expect(await check(bytes)).toMatchObject({
        content_type: null,
        provenance: { state: "unknown" },
        made_here: null,
      });
  });

  it("is refused when nothing was sent, or when sent too often", async () => {
    const send = (body: object) => call(mapped.gateway, account.key, "POST", "/outputs/verify", body);
    expect(await send({})).toMatchObject(refusal(400, "missing_parameter"));
    expect((await send({ uplaod: "x" })).status).toBe(400);
    expect(await send({ upload: "upload://upl_01kaq000000000000000000000" })).toMatchObject(
      refusal(404, "upload_not_found"),
    );
    // More than the 30 a minute that are allowed: they may come in any order, and some are allowed meanwhile.
    const many = await Promise.all(Array.from({ length: 40 }, () => send({})));
    const refused = many.find(({ status }) => status === 429);
    expect(refused).toMatchObject(refusal(429, "rate_limit_exceeded"));
  });
});
