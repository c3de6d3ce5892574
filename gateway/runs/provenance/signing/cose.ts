import { constants, type KeyObject, sign } from "node:crypto";

/** The signature algorithms of C2PA by name, with COSE's number (RFC 9053). */
export const algorithms = {
  es256: { number: -7, digest: "sha256" },
  es384: { number: -35, digest: "sha384" },
  es512: { number: -36, digest: "sha512" },
  ps256: { number: -37, digest: "sha256" },
  ps384: { number: -38, digest: "sha384" },
  ps512: { number: -39, digest: "sha512" },
  ed25519: { number: -8, digest: null },
} as const;

export type Algorithm = keyof typeof algorithms;

export interface SigningKey {
  algorithm: Algorithm;
  key: KeyObject;
  /** The key's certificate in DER, followed by the intermediate certificates up to its authority. */
  chain: readonly Uint8Array[];
}

const algorithmLabel = 1;
const x5chainLabel = 33;
const coseSign1Tag = 18;
const nothing = Buffer.from([0xf6]);

/**
 * A COSE_Sign1 structure (RFC 9052) over a claim, which it does not contain. Its size is always the same for
 * one key.
 */
export function coseSignature(signer: SigningKey, claim: Uint8Array): Buffer {
  const { algorithm, chain } = signer;
  const certificates = chain.map(bytes);
  const protectedHeader = bytes(
    map(
      head(0, algorithmLabel),
      head(1, -algorithms[algorithm].number - 1),
      head(0, x5chainLabel),
      certificates.length === 1 ? (certificates[0] ?? nothing) : list(...certificates),
    ),
  );
  const signed = list(text("Signature1"), protectedHeader, bytes(Buffer.alloc(0)), bytes(claim));
  const parts = list(protectedHeader, map(), nothing, bytes(signatureOf(signer, signed)));
  return Buffer.concat([head(6, coseSign1Tag), parts]);
}

function signatureOf({ algorithm, key }: SigningKey, signed: Buffer): Buffer {
  const { digest } = algorithms[algorithm];
  if (digest === null) return sign(null, signed, key);
  if (algorithm.startsWith("es")) return sign(digest, signed, { key, dsaEncoding: "ieee-p1363" });
  return sign(digest, signed, {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  });
}

/** The first bytes of a CBOR item with a number below 2³². */
function head(major: number, count: number): Buffer {
  const type = major << 5;
  if (count < 24) return Buffer.from([type | count]);
  if (count < 0x100) return Buffer.from([type | 24, count]);
  if (count < 0x10000) return Buffer.from([type | 25, count >> 8, count & 255]);
  const long = Buffer.alloc(5, type | 26);
  long.writeUInt32BE(count, 1);
  return long;
}

const bytes = (value: Uint8Array) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
const list = (...items: Buffer[]) => Buffer.concat([head(4, items.length), ...items]);
const map = (...pairs: Buffer[]) => Buffer.concat([head(5, pairs.length / 2), ...pairs]);

/**
 * Extended key usages that a certificate for claims may have, at least one of them: claim signing (C2PA, and
 * Microsoft's older identifier), documents or e-mail.
 */
export const claimPurposes = [
  "1.3.6.1.4.1.62558.2.1",
  "1.3.6.1.4.1.311.76.59.1.9",
  "1.3.6.1.5.5.7.3.36",
  "1.3.6.1.5.5.7.3.4",
];
