import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import init, { WasmBuilder } from "@contentauth/c2pa-wasm";
import {
  landscapeImage,
  landscapeVideo,
  smallImage,
  speechAudio,
} from "#gateway/models/catalog/example-media.ts";
import { coseSignature } from "#gateway/runs/provenance/signing/cose.ts";
import { installBlobReader, readableBlob } from "#gateway/runs/provenance/signing/signer-thread.ts";
import { issueSigningCertificate } from "./signing-certificate.ts";

/** The name in the test certificate. */
export const testIssuer = "Example Models";
const generated = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";

export interface SignedFile {
  contentType: string;
  bytes: Buffer;
}

/** A PNG, JPEG, MP4 and WAV. */
export const unsignedMedia: SignedFile[] = [smallImage, landscapeImage, landscapeVideo, speechAudio].map(
  (source) => {
    const [, contentType = "", base64 = ""] = /^data:([^;]+);base64,(.*)$/.exec(source) ?? [];
    return { contentType, bytes: Buffer.from(base64, "base64") };
  },
);

/** The same files, each with a C2PA manifest signed by an untrusted authority. */
export async function signedMedia(): Promise<SignedFile[]> {
  const signer = {
    algorithm: "es256" as const,
    ...(await issueSigningCertificate({ organisation: testIssuer })),
  };
  installBlobReader();
  await init({
    module_or_path: await readFile(fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm"))),
  });
  const signed: SignedFile[] = [];
  for (const { contentType, bytes } of unsignedMedia) {
    const builder = WasmBuilder.fromJson(JSON.stringify(manifest));
    const made = await builder.sign(
      {
        alg: signer.algorithm,
        reserveSize: coseSignature(signer, Buffer.alloc(0)).length,
        sign: async (claim: Uint8Array) => new Uint8Array(coseSignature(signer, claim)),
      },
      [],
      contentType,
      readableBlob(bytes),
    );
    signed.push({ contentType, bytes: Buffer.from(made) });
  }
  return signed;
}

const manifest = {
  claim_generator_info: [{ name: "Example Studio", version: "2" }],
  assertions: [
    { label: "c2pa.actions", data: { actions: [{ action: "c2pa.created", digitalSourceType: generated }] } },
  ],
};
