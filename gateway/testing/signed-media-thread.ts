import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import init, { WasmBuilder } from "@contentauth/c2pa-wasm";
import { coseSignature } from "#gateway/runs/provenance/signing/cose.ts";
import { installBlobReader, readableBlob } from "#gateway/runs/provenance/signing/signer-thread.ts";
import { type SignedFile, testIssuer } from "./signed-media.ts";
import { issueSigningCertificate } from "./signing-certificate.ts";

/** Signs the files of `workerData` for `signedMedia`. */

const generated = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";
const manifest = {
  claim_generator_info: [{ name: "Example Studio", version: "2" }],
  assertions: [
    { label: "c2pa.actions", data: { actions: [{ action: "c2pa.created", digitalSourceType: generated }] } },
  ],
};

const signer = {
  algorithm: "es256" as const,
  ...(await issueSigningCertificate({ organisation: testIssuer })),
};
installBlobReader();
await init({
  module_or_path: await readFile(fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm"))),
});
const signed: { contentType: string; bytes: Uint8Array }[] = [];
for (const { contentType, bytes } of workerData as SignedFile[]) {
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
  signed.push({ contentType, bytes: made });
}
parentPort?.postMessage(signed);
