import { KeyObject } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
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
import type { SigningFiles } from "#gateway/platform/core/config.ts";

const hourMs = 3_600_000;
const authorityCurve = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** The keys that C2PA knows, as they are made. */
export const keyKinds = {
  es256: authorityCurve,
  es384: { name: "ECDSA", namedCurve: "P-384" },
  es512: { name: "ECDSA", namedCurve: "P-521" },
  ps256: {
    name: "RSA-PSS",
    modulusLength: 2_048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: "SHA-256",
  },
  ed25519: { name: "Ed25519" },
} as const;

interface CertificateRequest {
  organisation: string;
  kind?: keyof typeof keyKinds;
  from?: Date;
  until?: Date;
  usage?: KeyUsageFlags;
  purposes?: string[];
}

export interface IssuedCertificate {
  /** DER: the signer's, then its authority's. */
  chain: Buffer[];
  key: KeyObject;
}

/** A certificate for signing content, from an untrusted authority. */
export async function issueSigningCertificate({
  organisation,
  kind = "es256",
  from = new Date(Date.now() - hourMs),
  until = new Date(Date.now() + 365 * 24 * hourMs),
  usage = KeyUsageFlags.digitalSignature,
  purposes = [ExtendedKeyUsage.emailProtection],
}: CertificateRequest): Promise<IssuedCertificate> {
  const [authority, signer] = (await Promise.all(
    [authorityCurve, keyKinds[kind]].map((made) => crypto.subtle.generateKey(made, true, ["sign", "verify"])),
  )) as [CryptoKeyPair, CryptoKeyPair];
  const issued = {
    notBefore: from,
    notAfter: until,
    signingAlgorithm: authorityCurve,
    signingKey: authority.privateKey,
  };
  const issuer = `CN=Example authority, O=${organisation}`;
  const ca = await X509CertificateGenerator.create({
    ...issued,
    subject: issuer,
    issuer,
    publicKey: authority.publicKey,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const certificate = await X509CertificateGenerator.create({
    ...issued,
    subject: `CN=Example signer, O=${organisation}`,
    issuer,
    publicKey: signer.publicKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(usage, true),
      new ExtendedKeyUsageExtension(purposes),
      await AuthorityKeyIdentifierExtension.create(authority.publicKey),
      await SubjectKeyIdentifierExtension.create(signer.publicKey),
    ],
  });
  return {
    chain: [certificate, ca].map(({ rawData }) => Buffer.from(rawData)),
    key: KeyObject.from(signer.privateKey),
  };
}

/** The same certificate as an operator's files, in a new folder below this one. */
export async function writeSigningFiles(
  parent: string,
  requested: CertificateRequest,
): Promise<SigningFiles> {
  const folder = mkdtempSync(path.join(parent, "signing-"));
  const files = { certificate: path.join(folder, "chain.pem"), key: path.join(folder, "key.pem") };
  writeSigningFilesTo(files, await issueSigningCertificate(requested));
  return files;
}

export function writeSigningFilesTo(files: SigningFiles, { chain, key }: IssuedCertificate): void {
  writeFileSync(files.certificate, chain.map(pemOf).join(""));
  writeFileSync(files.key, key.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
}

function pemOf(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
