import { hash, X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { ExtendedKeyUsage, KeyUsageFlags } from "@peculiar/x509";
import { pino } from "pino";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { landscapeImage, landscapeVideo } from "#gateway/models/catalog/example-media.ts";
import { measureFile } from "#gateway/models/providers/media/probe.ts";
import { readConfig } from "#gateway/platform/core/config.ts";
import { speechAs } from "#gateway/runs/execution/answers.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { secondOpinion } from "#gateway/testing/second-opinion.ts";
import { signedMedia, unsignedMedia } from "#gateway/testing/signed-media.ts";
import {
  issueSigningCertificate,
  keyKinds,
  writeSigningFiles,
  writeSigningFilesTo,
} from "#gateway/testing/signing-certificate.ts";
import { readManifest } from "../reader.ts";
import type { Made } from "./claim.ts";
import { claimPurposes } from "./cose.ts";
import { Signer } from "./signer.ts";

const organisation = "Example Studio";
const hourMs = 3_600_000;
const log = pino({ level: "silent" });
const made: Made = { model: "svc/img-gen-a-2", engine: "pictures", sandbox: false, inputs: [] };
const trained = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";
const bytesOf = (source: string) => Buffer.from(source.split(",")[1] ?? "", "base64");
const fileOf = (bytes: Buffer, contentType: string) => ({
  contentType,
  sizeBytes: bytes.length,
  bytes: async () => bytes,
});
const read = (bytes: Buffer, contentType: string) => readManifest(fileOf(bytes, contentType));

let files: Map<string, Buffer>;
const folder = newFolder("signer");
beforeAll(async () => {
  files = new Map(unsignedMedia.map(({ contentType, bytes }) => [contentType, bytes]));
  const picture = sharp(bytesOf(landscapeImage));
  files.set("image/webp", await picture.clone().webp().toBuffer());
  files.set("image/gif", await picture.clone().gif().toBuffer());
  for (const contentType of ["video/quicktime", "audio/mp4"]) files.set(contentType, bytesOf(landscapeVideo));
  const wav = files.get("audio/wav") ?? Buffer.alloc(0);
  const usage = { unit: "character", quantity: 1 } as const;
  files.set("audio/mpeg", (await speechAs("mp3", { kind: "speech", audio: wav, usage })).bytes);
});

const openSigner = async (requested: Partial<Parameters<typeof writeSigningFiles>[1]> = {}, more = {}) =>
  Signer.open({ files: await writeSigningFiles(folder, { organisation, ...requested }), log, ...more });

async function signed(signer: Signer, contentType: string, run = made): Promise<Buffer> {
  const bytes = files.get(contentType) ?? Buffer.alloc(0);
  const outcome = await signer.sign(fileOf(bytes, contentType), run);
  if (!outcome) throw new Error(`${contentType} was not signed`);
  expect(outcome.sha256).toBe(hash("sha256", outcome.bytes));
  return Buffer.from(outcome.bytes);
}

describe("a file that is signed", () => {
  it.each([
    "image/png",
    "image/jpeg",
    "image/webp",
    "image/gif",
    "video/mp4",
    "video/quicktime",
    "audio/wav",
    "audio/mpeg",
    "audio/mp4",
  ])(
    "is %s, states that a model made it, and passes two libraries until it is changed",
    async (contentType) => {
      const bytes = await signed(await openSigner(), contentType);
      expect(await read(bytes, contentType)).toMatchObject({
        state: "present",
        issuer: organisation,
        claims: { validation: "valid", digital_source_type: trained, actions: ["c2pa.created"] },
      });
      expect(await secondOpinion(bytes, contentType)).toMatchObject({ isValid: true });
      // Its picture or sound is unchanged.
      const [before, after] = ["before", "after"].map((name) => path.join(folder, name)) as [string, string];
      writeFileSync(before, files.get(contentType) ?? "");
      writeFileSync(after, bytes);
      const family = contentType === "audio/mp4" ? "video" : (contentType.split("/")[0] as "image");
      expect(await measureFile(after, family)).toEqual(await measureFile(before, family));
      const changed = Buffer.from(bytes);
      const last = changed.length - 20;
      changed[last] = (changed[last] ?? 0) ^ 1;
      expect((await read(changed, contentType)).claims?.validation).not.toBe("valid");
      expect((await secondOpinion(changed, contentType)).isValid).toBe(false);
    },
  );

  it.each(Object.keys(keyKinds) as (keyof typeof keyKinds)[])(
    "may be signed by a key of %s",
    async (kind) => {
      const bytes = await signed(await openSigner({ kind }), "image/png");
      expect((await read(bytes, "image/png")).claims?.validation).toBe("valid");
      // The second library hashes with SHA-256 for P-521, but C2PA requires SHA-512.
      if (kind !== "es512") expect(await secondOpinion(bytes, "image/png")).toMatchObject({ isValid: true });
    },
  );

  it.each(claimPurposes)("may be signed by a certificate whose purpose is %s", async (purpose) => {
    const bytes = await signed(await openSigner({ purposes: [purpose] }), "image/png");
    expect((await read(bytes, "image/png")).claims?.validation).toBe("valid");
  });
});

describe("a file that is left as it is", () => {
  it("is one that is signed already, of a type that cannot be, too large, or after the certificate's end", async () => {
    const signer = await openSigner({ until: new Date(Date.now() + hourMs) });
    for (const { contentType, bytes } of await signedMedia()) {
      expect(await signer.attempt(fileOf(bytes, contentType), made)).toEqual({ state: "marked" });
      // A file changed after signing still has a manifest, which we must not replace.
      const changed = Buffer.from(bytes);
      changed[changed.length - 20] = (changed[changed.length - 20] ?? 0) ^ 1;
      expect(await signer.attempt(fileOf(changed, contentType), made)).toEqual({ state: "marked" });
    }
    const png = files.get("image/png") ?? Buffer.alloc(0);
    expect(await signer.attempt(fileOf(png, "video/webm"), made)).toBe("unsupported");
    expect(await signer.attempt({ ...fileOf(png, "image/png"), sizeBytes: 100_000_001 }, made)).toBe(
      "too_large",
    );
  });

  it("is one that cannot be read, or takes too long; the next one is signed", async () => {
    const signer = await openSigner();
    const broken = Buffer.from((files.get("image/png") ?? Buffer.alloc(0)).subarray(0, 60));
    expect(await signer.attempt(fileOf(broken, "image/png"), made)).toMatchObject({ state: "unreadable" });
    expect(await signer.sign(fileOf(broken, "image/png"), made)).toBeNull();
    await signed(signer, "image/png");
    const hasty = await openSigner({}, { timeoutMs: 1 });
    const png = fileOf(files.get("image/png") ?? Buffer.alloc(0), "image/png");
    expect(await hasty.attempt(png, made)).toBe("timeout");
    expect(await hasty.sign(png, made)).toBeNull();
  });

  it("is every file if the library is not installed", async () => {
    const script = new URL("../../../testing/signer-without-library.ts", import.meta.url);
    const signer = await openSigner({}, { script });
    const png = fileOf(files.get("image/png") ?? Buffer.alloc(0), "image/png");
    expect(await signer.attempt(png, made)).toEqual({ state: "library_missing" });
    expect(await signer.sign(png, made)).toBeNull();
  });
});

describe("the files of the certificate", () => {
  const refusal = (requested: object) =>
    openSigner(requested).then(
      () => "opened",
      (error: Error) => error.message,
    );

  it("are refused when the certificate cannot sign, with the reason", async () => {
    expect(await refusal({ until: new Date(Date.now() - 1) })).toMatch(
      /C2PA_CERTIFICATE_FILE .*: the certificate expired on/,
    );
    expect(await refusal({ from: new Date(Date.now() + hourMs) })).toMatch("is valid only from");
    expect(await refusal({ usage: KeyUsageFlags.keyEncipherment })).toMatch(
      "does not include digitalSignature",
    );
    expect(await refusal({ purposes: [ExtendedKeyUsage.serverAuth] })).toMatch("is not for signing content");
  });

  it("are refused if they are of the wrong kind", async () => {
    const good = await writeSigningFiles(folder, { organisation });
    const other = await writeSigningFiles(folder, { organisation });
    const fails = (changes: object) =>
      Signer.open({ files: { ...good, ...changes }, log }).then(
        () => "opened",
        (error: Error) => error.message,
      );
    expect(await fails({ key: other.key })).toMatch("is not the key of the first certificate in");
    expect(await fails({ certificate: good.key })).toMatch("has no certificate in PEM");
    expect(await fails({ key: good.certificate })).toMatch("has no private key in PEM");
    expect(await fails({ key: "/nowhere" })).toBe("C2PA_KEY_FILE /nowhere cannot be read: ENOENT");
    const encrypted = path.join(folder, "encrypted.pem");
    const { key, chain } = await issueSigningCertificate({ organisation });
    writeFileSync(
      encrypted,
      key.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }),
    );
    expect(await fails({ key: encrypted })).toMatch("is encrypted");
    const upsideDown = await writeSigningFiles(folder, { organisation });
    writeSigningFilesTo(upsideDown, { key, chain: chain.toReversed() });
    expect(await fails(upsideDown)).toMatch("the first certificate is an authority's");
    expect(() => readConfig({ C2PA_KEY_FILE: "key.pem", AUTH_SECRET: "x".repeat(32) })).toThrow(
      "C2PA_CERTIFICATE_FILE and C2PA_KEY_FILE must be set together",
    );
  });

  it("are read again when they change; if the new ones cannot be used, the previous ones stay in use", async () => {
    const pair = await writeSigningFiles(folder, { organisation });
    const signer = await Signer.open({ files: pair, log });
    writeSigningFilesTo(pair, await issueSigningCertificate({ organisation: "Renewed" }));
    expect(await read(await signed(signer, "image/png"), "image/png")).toMatchObject({ issuer: "Renewed" });
    writeFileSync(pair.key, "nothing");
    expect(await signer.current()).toMatchObject({
      problem: {
        message: `C2PA_KEY_FILE ${pair.key} has no private key in PEM`,
        code: { code: "signing_no_key", at: `C2PA_KEY_FILE ${pair.key}` },
      },
    });
    expect(await read(await signed(signer, "image/png"), "image/png")).toMatchObject({ issuer: "Renewed" });
    writeSigningFilesTo(pair, await issueSigningCertificate({ organisation }));
    const { certificate, problem } = await signer.current();
    expect(problem).toBeNull();
    expect(new X509Certificate(Buffer.from(certificate.chain[0] ?? [])).subject).toContain(organisation);
  });
});
