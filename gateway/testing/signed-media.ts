import { KeyObject, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import init, { WasmBuilder } from "@contentauth/c2pa-wasm";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { landscapeImage, landscapeVideo, smallImage, speechAudio } from "#gateway/catalog/example-media.ts";

/** Whom the test certificate names. */
export const testIssuer = "Example Models";
const generated = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";
const signatureBytes = 4_096;
const hourMs = 3_600_000;

export interface SignedFile {
  contentType: string;
  bytes: Buffer;
}

/** A PNG, JPEG, MP4 and WAV with a C2PA manifest each, signed by an authority that nobody trusts. */
export async function signedMedia(): Promise<SignedFile[]> {
  const sources = [smallImage, landscapeImage, landscapeVideo, speechAudio];
  const signer = await makeSigner();
  await init({
    module_or_path: await readFile(fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm"))),
  });
  const signed: SignedFile[] = [];
  for (const source of sources) {
    const [, contentType = "", base64 = ""] = /^data:([^;]+);base64,(.*)$/.exec(source) ?? [];
    const builder = WasmBuilder.fromJson(JSON.stringify(manifest));
    const blob = readableAtOnce(Buffer.from(base64, "base64"));
    signed.push({ contentType, bytes: Buffer.from(await builder.sign(signer, [], contentType, blob)) });
  }
  return signed;
}

const manifest = {
  claim_generator_info: [{ name: "Example Studio", version: "2" }],
  assertions: [
    { label: "c2pa.actions", data: { actions: [{ action: "c2pa.created", digitalSourceType: generated }] } },
  ],
};

async function makeSigner() {
  const curve = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const newKeys = () => crypto.subtle.generateKey(curve, true, ["sign", "verify"]);
  const [authority, signer] = await Promise.all([newKeys(), newKeys()]);
  const issued = {
    notBefore: new Date(Date.now() - hourMs),
    signingAlgorithm: curve,
    signingKey: authority.privateKey,
  };
  const issuer = `CN=Example authority, O=${testIssuer}`;
  const ca = await X509CertificateGenerator.create({
    ...issued,
    subject: issuer,
    issuer,
    publicKey: authority.publicKey,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  });
  const certificate = await X509CertificateGenerator.create({
    ...issued,
    subject: `CN=Example signer, O=${testIssuer}`,
    issuer,
    publicKey: signer.publicKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.emailProtection]),
      await AuthorityKeyIdentifierExtension.create(authority.publicKey),
      await SubjectKeyIdentifierExtension.create(signer.publicKey),
    ],
  });
  const chain = [certificate, ca].map(({ rawData }) => Buffer.from(rawData));
  const key = KeyObject.from(signer.privateKey);
  return {
    alg: "es256",
    reserveSize: signatureBytes,
    sign: async (claim: Uint8Array) => new Uint8Array(coseSignature(key, chain, claim)),
  };
}

/** COSE_Sign1 (RFC 9052) over the claim, which it does not contain, padded to the reserved size. */
function coseSignature(key: KeyObject, chain: Buffer[], claim: Uint8Array): Buffer {
  const es256 = [head(0, 1), head(1, 6)];
  const x5chain = [head(0, 33), list(...chain.map(bytes))];
  const protectedHeader = bytes(map(...es256, ...x5chain));
  const signed = list(text("Signature1"), protectedHeader, bytes(Buffer.alloc(0)), bytes(Buffer.from(claim)));
  const signature = bytes(sign("sha256", signed, { key, dsaEncoding: "ieee-p1363" }));
  const nothing = Buffer.from([0xf6]);
  const padded = (size: number) =>
    Buffer.concat([
      head(6, 18),
      list(protectedHeader, map(text("pad"), bytes(Buffer.alloc(size))), nothing, signature),
    ]);
  const guess = 1_000;
  return padded(signatureBytes - padded(guess).length + guess);
}

/** The first bytes of a CBOR item of fewer than 65,536 bytes or parts. */
function head(major: number, count: number): Buffer {
  const type = major << 5;
  if (count < 24) return Buffer.from([type | count]);
  return count < 256 ? Buffer.from([type | 24, count]) : Buffer.from([type | 25, count >> 8, count & 255]);
}

const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
const list = (...items: Buffer[]) => Buffer.concat([head(4, items.length), ...items]);
const map = (...pairs: Buffer[]) => Buffer.concat([head(5, pairs.length / 2), ...pairs]);

/** The library's builder reads blobs as browsers' workers do, at once, which Node has no way for. */
function readableAtOnce(content: Buffer): Blob {
  const blob = (part: Buffer): unknown => ({
    size: part.length,
    part,
    slice: (start: number, end: number) => blob(part.subarray(start, end)),
  });
  Object.assign(globalThis, {
    FileReaderSync: class {
      readAsArrayBuffer = ({ part }: { part: Buffer }) => new Uint8Array(part).buffer;
    },
  });
  return blob(content) as Blob;
}
