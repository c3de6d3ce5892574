import { constants, createPublicKey, type KeyObject, verify, type webcrypto } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { byName } from "#contract/by-name.ts";
import { decodedExactly } from "#gateway/platform/core/console-secret.ts";

/** The decoded parts of a signed token, not yet verified. */
export interface SignedToken {
  header: { alg: string; kid?: string; typ?: string };
  payload: Record<string, unknown>;
  signed: string;
  signature: Buffer;
}

/** Null if malformed. */
export function decodeToken(token: string): SignedToken | null {
  const parts = token.split(".");
  const [head = "", body = "", signature = ""] = parts;
  if (parts.length !== 3) return null;
  try {
    const header = JSON.parse(Buffer.from(head, "base64url").toString()) as SignedToken["header"];
    const payload = JSON.parse(Buffer.from(body, "base64url").toString()) as SignedToken["payload"];
    if (typeof header?.alg !== "string" || typeof payload !== "object" || payload === null) return null;
    if ("crit" in header) return null;
    const bytes = decodedExactly(signature, "base64url");
    return bytes.length === 0 ? null : { header, payload, signed: `${head}.${body}`, signature: bytes };
  } catch {
    return null;
  }
}

/** A key that the issuer has withdrawn is trusted for at most this long. */
const freshMs = 300_000;

/** Tokens with invented keys must not cause more frequent requests, nor must any while an issuer is down. */
const betweenFetchesMs = 1_000;

const maxKeys = 50;

/** An issuer's signing keys. */
export interface KeySet {
  /**
   * Whether one of them signed the token. Looks again for an unknown key, because issuers change keys at
   * any time.
   */
  hasSigned(address: string, token: SignedToken): Promise<boolean>;
}

export interface PublicKey extends webcrypto.JsonWebKey {
  kid?: string;
  use?: string;
  alg?: string;
}

interface Algorithm {
  hash: string | null;
  keyType: string;
  curve?: string;
  isPss?: boolean;
}

// openid-client also verifies signatures, but waits a minute before it looks for a new key, and does not
// support logout tokens.

/**
 * Accepts only signatures by keys that the issuer publishes: a shared secret or no signature would prove
 * nothing.
 */
const algorithms = byName<Algorithm>({
  RS256: { hash: "sha256", keyType: "RSA" },
  RS384: { hash: "sha384", keyType: "RSA" },
  RS512: { hash: "sha512", keyType: "RSA" },
  PS256: { hash: "sha256", keyType: "RSA", isPss: true },
  PS384: { hash: "sha384", keyType: "RSA", isPss: true },
  PS512: { hash: "sha512", keyType: "RSA", isPss: true },
  ES256: { hash: "sha256", keyType: "EC", curve: "P-256" },
  ES384: { hash: "sha384", keyType: "EC", curve: "P-384" },
  ES512: { hash: "sha512", keyType: "EC", curve: "P-521" },
  EdDSA: { hash: null, keyType: "OKP", curve: "Ed25519" },
  Ed25519: { hash: null, keyType: "OKP", curve: "Ed25519" },
});

/** Larger keys, or larger exponents, take so long to check that a stranger's issuer could stall the process with them. */
const rsaKeyBits = { least: 2048, most: 8192 } as const;
const largestExponent = 2n ** 32n;

/**
 * The keys that `fetchKeys` reads at an address, kept for five minutes. It learns whether those known are still fresh, so
 * that only a token with an unknown key makes it read them. Its errors are passed on.
 */
export function createKeySet(
  fetchKeys: (address: string, areFresh: boolean) => Promise<PublicKey[]>,
): KeySet {
  let keys: PublicKey[] = [];
  let fetchedAt = Number.NEGATIVE_INFINITY;
  /** When the last fetch ended, also one that failed. */
  let triedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | null = null;

  const refresh = (address: string, areFresh: boolean): Promise<void> => {
    underWay ??= (async () => {
      const waitMs = triedAt + betweenFetchesMs - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      keys = (await fetchKeys(address, areFresh)).slice(0, maxKeys);
      fetchedAt = performance.now();
    })().finally(() => {
      triedAt = performance.now();
      underWay = null;
    });
    return underWay;
  };

  return {
    async hasSigned(address, token) {
      // No key could have signed it.
      if (!Object.hasOwn(algorithms, token.header.alg)) return false;
      const areFresh = performance.now() - fetchedAt < freshMs;
      if (areFresh && isSignedByOneOf(keys, token)) return true;
      await refresh(address, areFresh);
      return isSignedByOneOf(keys, token);
    },
  };
}

/** Whether one of these keys signed the token, with an algorithm that fits the key. */
function isSignedByOneOf(keys: readonly PublicKey[], token: SignedToken): boolean {
  const { alg, kid } = token.header;
  const algorithm = Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined;
  if (!algorithm) return false;
  return keys
    .filter((key) => key.kty === algorithm.keyType && (!algorithm.curve || key.crv === algorithm.curve))
    .filter((key) => key.use !== "enc" && (key.alg === undefined || key.alg === alg))
    .filter((key) => kid === undefined || key.kid === undefined || key.kid === kid)
    .some((key) => isSignedBy(key, algorithm, token));
}

function isSignedBy(jwk: PublicKey, { hash, isPss }: Algorithm, { signed, signature }: SignedToken): boolean {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    return false;
  }
  const { modulusLength: bits = rsaKeyBits.least, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (bits < rsaKeyBits.least || bits > rsaKeyBits.most || publicExponent > largestExponent) return false;
  const pss = isPss && {
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  };
  return verify(hash, Buffer.from(signed), { key, dsaEncoding: "ieee-p1363", ...pss }, signature);
}
