import { hash } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Output } from "#contract/outputs.ts";
import { duskImage, landscapeImage } from "#gateway/models/catalog/example-media.ts";
import { type MappedGateway, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startReplicateServer } from "#gateway/models/providers/testing/replicate-server.ts";
import { recordOperatorCauses } from "#gateway/monitoring/status/operator-watch.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { secondOpinion } from "#gateway/testing/second-opinion.ts";
import { type SignedFile, signedMedia, unsignedMedia } from "#gateway/testing/signed-media.ts";
import {
  issueSigningCertificate,
  writeSigningFiles,
  writeSigningFilesTo,
} from "#gateway/testing/signing-certificate.ts";
import { Signer } from "./signer.ts";

const organisation = "Example Studio";
const terms = "http://cv.iptc.org/newscodes/digitalsourcetype";
const edit = { model: "svc/swap-1", image: [landscapeImage, duskImage], person_rights_confirmed: true };
const video = { model: "svc/adult-i2v-2", prompt: "a secret requested", image: landscapeImage, duration: 5 };
const sandboxed = { model: "svc/img-gen-a-1", prompt: "a secret requested", size: "256x256" };

const sha256 = (bytes: Buffer) => hash("sha256", bytes);
const bytesOf = (source: string) => Buffer.from(source.split(",")[1] ?? "", "base64");
const fetched = async (url: unknown) => Buffer.from(await (await fetch(String(url))).arrayBuffer());

let mapped: MappedGateway;
let files: Map<string, SignedFile>;
const upstream = shared(startReplicateServer);
beforeAll(async () => {
  const webp = await sharp(bytesOf(landscapeImage)).webp().toBuffer();
  files = new Map(
    [...unsignedMedia, { contentType: "image/webp", bytes: webp }].map((file) => [file.contentType, file]),
  );
  const provider = "hosts";
  const routes = [
    { models: ["svc/adult-i2v-2"], provider, upstream_model: "acme/i2v" },
    { models: ["svc/swap-1"], provider, upstream_model: "acme/swap:0123abcd" },
    { models: ["svc/img-gen-a-2", "svc/tts-b-2"], provider, upstream_model: "acme/any" },
  ];
  const credential = { env: "TEST_UPSTREAM_KEY" };
  const credentials = { "us-virginia": credential, "sg-singapore": credential };
  const hosts = { protocol: "replicate", base_url: `${upstream.origin}/v1`, credentials };
  const folder = newFolder("signed");
  mapped = await startMappedGateway(
    { providers: { hosts }, routes, unmapped: "sandbox" },
    { signing: await writeSigningFiles(folder, { organisation }) },
  );
  upstream.polls = 0;
});
afterAll(async () => {
  await mapped.close();
});

/** The upstream returns this file from now on. */
function makes(file: SignedFile | undefined): Buffer {
  if (!file) throw new Error("No such file");
  upstream.files.set("/out", file);
  upstream.end = { status: "succeeded", output: [`${upstream.origin}/out`] };
  return file.bytes;
}

const get = (path: string) => call(mapped.gateway, mapped.account.key, "GET", path);
/** Asks for each output until its manifest has been read: a list does not read it. */
const outputsOf = async (query: string) => {
  const { data } = (await get(`/outputs?${query}`)).body as { data: Output[] };
  const read = async ({ id }: Output) => {
    const output = (await get(`/outputs/${id}`)).body as unknown as Output;
    expect(output.provenance.reason).not.toBe("not_read");
    return output;
  };
  return Promise.all(data.map((output) => vi.waitFor(() => read(output))));
};

/** The only file of a run, as listed and as served. */
async function outputOf(query: string): Promise<{ output: Output; bytes: Buffer }> {
  const [output] = await outputsOf(query);
  if (!output) throw new Error(`No output of ${query}`);
  const bytes = await fetched(output.url);
  expect(output).toMatchObject({ size_bytes: bytes.length, provenance: { sha256: sha256(bytes) } });
  return { output, bytes };
}

const valid = (source: string, actions: string[]) => ({
  state: "present",
  issuer: organisation,
  claims: { validation: "valid", digital_source_type: `${terms}/${source}`, actions },
});

describe("with a certificate of the operator's", () => {
  it.each([
    ["image/png", "/images/edits", edit, ["c2pa.opened", "c2pa.edited"]],
    ["image/jpeg", "/images/edits", edit, ["c2pa.opened", "c2pa.edited"]],
    ["image/webp", "/images/edits", edit, ["c2pa.opened", "c2pa.edited"]],
    ["video/mp4", "/videos", video, ["c2pa.created"]],
  ])("an output of a model is signed: %s of a prediction", async (contentType, route, body, actions) => {
    const came = makes(files.get(contentType));
    const done = await mapped.run(route, body);
    expect(done).toMatchObject({ status: "succeeded", data: [{ content_type: contentType }] });
    const { output, bytes } = await outputOf(`prediction_id=${done.id}`);
    expect(output.provenance).toMatchObject(valid("trainedAlgorithmicMedia", actions));
    expect(bytes.equals(came)).toBe(false);
    expect(await secondOpinion(bytes, contentType)).toMatchObject({ isValid: true });
    // The event was written with the same hash.
    const { rows } = await mapped.gateway.context.database.pool.query(
      "select body from webhook_events where prediction_id = $1",
      [done.id],
    );
    expect(JSON.parse(rows[0].body).data.object.data[0].provenance.sha256).toBe(sha256(bytes));
    // It contains neither words of the request nor names of people.
    for (const word of ["secret", mapped.account.email, mapped.account.accountId])
      expect(bytes.includes(word)).toBe(false);
  });

  it("names the inputs of an edit and a video, and keeps their own manifests", async () => {
    const [, signedInput] = await signedMedia();
    makes(files.get("image/png"));
    const image = [landscapeImage, `data:image/jpeg;base64,${signedInput?.bytes.toString("base64")}`];
    const { id } = await mapped.run("/images/edits", { ...edit, image });
    const { bytes } = await outputOf(`prediction_id=${id}`);
    expect(bytes.includes(`SHA-256 ${sha256(bytesOf(landscapeImage))}`)).toBe(true);
    expect(bytes.includes(`SHA-256 ${sha256(signedInput?.bytes ?? Buffer.alloc(0))}`)).toBe(true);
    expect(bytes.includes("parentOf")).toBe(true);
    expect(bytes.includes("Example Studio") && bytes.includes("Example Models")).toBe(true);
    makes(files.get("video/mp4"));
    const made = await outputOf(`prediction_id=${(await mapped.run("/videos", video)).id}`);
    expect(made.bytes.includes(`SHA-256 ${sha256(bytesOf(landscapeImage))}`)).toBe(true);
    expect(made.bytes.includes("inputTo") && !made.bytes.includes("parentOf")).toBe(true);
  });

  it("an output of the sandbox is marked as made without a model", async () => {
    const { body } = await mapped.post("/images/generations", sandboxed);
    const { output, bytes } = await outputOf("model=svc/img-gen-a-1&limit=1");
    expect(sha256(await fetched((body.data as { url: string }[])[0]?.url))).toBe(sha256(bytes));
    expect(output.provenance).toMatchObject(valid("algorithmicMedia", ["c2pa.created"]));
    expect(bytes.includes("SANDBOX: no model ran")).toBe(true);
    expect(bytes.includes("trainedAlgorithmicMedia") || bytes.includes("svc/img-gen-a-1")).toBe(false);
    expect(await secondOpinion(bytes, output.content_type)).toMatchObject({ isValid: true });
  });

  it("speech is signed as an answer, and in a batch", async () => {
    makes(files.get("audio/wav"));
    const { key } = mapped.account;
    const speak = (format: string) =>
      fetch(`${mapped.gateway.url}/audio/speech`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "svc/tts-b-2", input: "Good evening", response_format: format }),
      });
    for (const [format, contentType] of [
      ["wav", "audio/wav"],
      ["mp3", "audio/mpeg"],
    ] as const) {
      const bytes = Buffer.from(await (await speak(format)).arrayBuffer());
      expect(await secondOpinion(bytes, contentType)).toMatchObject({ isValid: true });
    }
    const { body } = await mapped.post("/batches", {
      model: "svc/tts-b-2",
      api_type: "text-to-speech",
      rows: [{ input: "Good evening" }],
    });
    await expect.poll(async () => (await get(`/batches/${body.id}`)).body.status).toBe("finished");
    const { output } = await outputOf("model=svc/tts-b-2&limit=1");
    expect(output.provenance).toMatchObject(valid("trainedAlgorithmicMedia", ["c2pa.created"]));
  });

  it("a file that an upstream signed stays the same, byte for byte", async () => {
    for (const file of await signedMedia()) {
      const isVideo = file.contentType === "video/mp4";
      if (file.contentType === "audio/wav") continue;
      const came = makes(file);
      const { id } = await mapped.run(isVideo ? "/videos" : "/images/edits", isVideo ? video : edit);
      const { output, bytes } = await outputOf(`prediction_id=${id}`);
      expect(bytes.equals(came)).toBe(true);
      expect(output.provenance).toMatchObject({ issuer: "Example Models" });
    }
  });

  it("a file that takes too long to sign is stored unsigned, and the operator is notified", async () => {
    const { context, logLines } = mapped.gateway;
    const { signer } = context;
    if (!context.config.signing) throw new Error("No certificate");
    context.signer = await Signer.open({ files: context.config.signing, log: context.log, timeoutMs: 1 });
    try {
      const came = makes(files.get("image/png"));
      const { id, status } = await mapped.run("/images/edits", edit);
      expect(status).toBe("succeeded");
      const { output, bytes } = await outputOf(`prediction_id=${id}`);
      expect(bytes.equals(came)).toBe(true);
      expect(output.provenance).toMatchObject({ state: "absent" });
      expect(logLines.filter((line) => line.includes("stored without a signature"))).toHaveLength(1);
    } finally {
      context.signer = signer;
    }
  });

  it("everything else works without the library, and the operators' page reports that it is missing", async () => {
    const { gateway } = mapped;
    const { context } = gateway;
    const { signer } = context;
    if (!context.config.signing) throw new Error("No certificate");
    const script = new URL("../../../testing/signer-without-library.ts", import.meta.url);
    context.signer = await Signer.open({ files: context.config.signing, log: context.log, script });
    try {
      const came = makes(files.get("image/jpeg"));
      const { id } = await mapped.run("/images/edits", edit);
      expect((await outputOf(`prediction_id=${id}`)).bytes.equals(came)).toBe(true);
      const operator = await gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
      const { body } = await call(gateway, operator, "GET", "/operator/signing");
      expect(body).toMatchObject({ configured: true, trial: "library_missing" });
    } finally {
      context.signer = signer;
    }
  });

  it("operators can read the certificate and its state, and are notified a month before it expires", async () => {
    const { gateway } = mapped;
    const operator = await gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
    const { body } = await call(gateway, operator, "GET", "/operator/signing");
    expect(body).toMatchObject({
      configured: true,
      certificate: { subject: `CN=Example signer, O=${organisation}`, algorithm: "es256" },
      problem: null,
      trial: "signed",
    });
    expect(JSON.stringify(body)).not.toContain("PRIVATE");
    const causes = async () => {
      await recordOperatorCauses(gateway.context, []);
      const { rows } = await gateway.context.database.pool.query(
        "select data from notice_causes where cause = 'signing_certificate.expiring'",
      );
      return rows;
    };
    expect(await causes()).toEqual([]);
    if (!gateway.context.config.signing) throw new Error("No certificate");
    const until = new Date(Date.now() + 29 * 86_400_000);
    writeSigningFilesTo(
      gateway.context.config.signing,
      await issueSigningCertificate({ organisation, until }),
    );
    expect(await causes()).toMatchObject([{ data: { subject: `CN=Example signer, O=${organisation}` } }]);
  });
});

it("operators can read that there is no certificate", async () => {
  const gateway = await startTestGateway({ role: "api" });
  const { accountId } = await gateway.createAccount();
  const operator = await gateway.createKey(accountId, { scopes: ["operator"] });
  const { body } = await call(gateway, operator, "GET", "/operator/signing");
  expect(body).toMatchObject({ configured: false, certificate: null, trial: null });
  await gateway.close();
});

it("a gateway with a certificate that cannot be used does not start", async () => {
  const folder = newFolder("signed");
  const signing = await writeSigningFiles(folder, { organisation, until: new Date(Date.now() - 1) });
  await expect(startTestGateway({ signing })).rejects.toThrow(/C2PA_CERTIFICATE_FILE .* expired on/);
});
