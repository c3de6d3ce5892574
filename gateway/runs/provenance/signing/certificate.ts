import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { clock } from "#gateway/platform/core/clock.ts";
import type { SigningFiles } from "#gateway/platform/core/config.ts";
import { ConfigError } from "#gateway/platform/core/setting-reader.ts";
import { claimPurposes } from "../claim-purposes.ts";
import type { Algorithm, SigningKey } from "./cose.ts";

/** The operator's certificate with its key, as they are in their files. */
export interface SigningCertificate extends SigningKey {
  subject: string;
  issuer: string;
  validFrom: Date;
  expiresAt: Date;
}

const mostCertificates = 10;
const leastRsaBits = 2_048;

const anyPurpose = "2.5.29.37.0";
/** The object identifiers 2.5.29.15 and 2.5.29.35 in DER. */
const keyUsageId = "0603551d0f";
const authorityKeyId = "0603551d23";
const digitalSignature = 0x80;

/** Throws ConfigError that names the file and what is wrong with it; nothing of the key is in it. */
export async function readCertificate(files: SigningFiles): Promise<SigningCertificate> {
  const certificateSource = `C2PA_CERTIFICATE_FILE ${files.certificate}`;
  const keySource = `C2PA_KEY_FILE ${files.key}`;
  const chain = chainOf(await textOf(files.certificate, certificateSource), certificateSource);
  const [certificate] = chain;
  if (!certificate) throw new ConfigError(`${certificateSource} has no certificate in PEM`);
  const problem = problemOf(certificate, chain);
  if (problem) throw new ConfigError(`${certificateSource}: ${problem}`);
  const key = keyOf(await textOf(files.key, keySource), keySource);
  if (!certificate.checkPrivateKey(key))
    throw new ConfigError(`${keySource} is not the key of the first certificate in ${files.certificate}`);
  return {
    algorithm: algorithmOf(key, keySource),
    key,
    chain: chain.map(({ raw }) => raw),
    subject: inALine(certificate.subject),
    issuer: inALine(certificate.issuer),
    validFrom: certificate.validFromDate,
    expiresAt: certificate.validToDate,
  };
}

/** What keeps a certificate from signing claims, by the profile that readers of C2PA hold it to. */
function problemOf(certificate: X509Certificate, chain: X509Certificate[]): string | null {
  const now = clock.now();
  const usages = certificate.keyUsage ?? [];
  if (certificate.validToDate.getTime() <= now)
    return `the certificate expired on ${certificate.validTo}. Have it renewed`;
  if (certificate.validFromDate.getTime() > now)
    return `the certificate is valid only from ${certificate.validFrom}`;
  if (certificate.ca)
    return "the first certificate is an authority's. Put the one of the key first, then those that lead to its authority";
  if (certificate.subject === certificate.issuer)
    return "the certificate is signed with its own key, which C2PA does not take. Have one issued by an authority";
  if (!((extensionOf(certificate, keyUsageId)?.at(-1) ?? 0) & digitalSignature))
    return "the certificate's key usage does not include digitalSignature";
  if (usages.includes(anyPurpose) || !claimPurposes.some((purpose) => usages.includes(purpose)))
    return "the certificate is not for signing content: its extended key usage must be C2PA claim signing (1.3.6.1.4.1.62558.2.1), document signing (1.3.6.1.5.5.7.3.36) or emailProtection, and not any";
  if (!extensionOf(certificate, authorityKeyId))
    return "the certificate does not name its authority's key (no authority key identifier)";
  const gap = chain.findIndex((one, at) => at > 0 && !chain[at - 1]?.checkIssued(one));
  return gap === -1 ? null : `certificate ${gap + 1} did not issue the one before it`;
}

/** The content of an extension that is shorter than 128 bytes, as those that are read here are. */
function extensionOf({ raw }: X509Certificate, id: string): Buffer | null {
  const name = Buffer.from(id, "hex");
  const at = raw.indexOf(name);
  if (at === -1) return null;
  // A flag may say that it is critical: `01 01 ff`.
  const start = at + name.length + (raw[at + name.length] === 1 ? 3 : 0);
  return raw.subarray(start + 2, start + 2 + (raw[start + 1] ?? 0));
}

function chainOf(pem: string, source: string): X509Certificate[] {
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (texts.length > mostCertificates)
    throw new ConfigError(`${source} has more than ${mostCertificates} certificates`);
  try {
    return texts.map((text) => new X509Certificate(text));
  } catch {
    throw new ConfigError(`${source} has a certificate that cannot be read`);
  }
}

function keyOf(pem: string, source: string): KeyObject {
  if (pem.includes("ENCRYPTED"))
    throw new ConfigError(
      `${source} is encrypted. Decrypt it (openssl pkey -in … -out …) and let only the gateway read it`,
    );
  try {
    return createPrivateKey(pem);
  } catch {
    throw new ConfigError(`${source} has no private key in PEM`);
  }
}

function algorithmOf(
  { asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject,
  source: string,
): Algorithm {
  const curves: Record<string, Algorithm> = { prime256v1: "es256", secp384r1: "es384", secp521r1: "es512" };
  const found =
    type === "ec"
      ? curves[details?.namedCurve ?? ""]
      : type === "ed25519"
        ? "ed25519"
        : type === "rsa" || type === "rsa-pss"
          ? rsaAlgorithms[details?.hashAlgorithm ?? "sha256"]
          : undefined;
  if (found === undefined)
    throw new ConfigError(`${source} must be a key of ECDSA (P-256, P-384, P-521), RSA or Ed25519`);
  if (found.startsWith("ps") && (details?.modulusLength ?? 0) < leastRsaBits)
    throw new ConfigError(`${source} must have at least ${leastRsaBits} bits`);
  return found;
}

const rsaAlgorithms: Record<string, Algorithm> = { sha256: "ps256", sha384: "ps384", sha512: "ps512" };

async function textOf(file: string, source: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new ConfigError(`${source} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Node writes a name's parts on a line each. */
function inALine(name: string): string {
  return name.split("\n").join(", ");
}
