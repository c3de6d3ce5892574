import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";
import type { SignatureKey } from "#gateway/platform/database/tables/webhooks.ts";

const hintLength = 4;

/** A fresh signing secret: `whsec_` and the base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** The part of a secret that may be shown later. */
export function secretHint(secret: string): string {
  return secret.slice(-hintLength);
}

/** Seals the signing secrets of endpoints; each is bound to its endpoint's id. */
export function createSecretBox(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse webhook secrets");
}

/** Seals the custom headers of endpoints; each is bound to its endpoint's id. */
export function createHeaderBox(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse webhook headers");
}

/** Seals the private keys of endpoints; each is bound to its endpoint's id. */
export function createPairBox(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse webhook key pairs");
}

/**
 * A fresh Ed25519 key pair of one endpoint. With one pair for all, anybody who registers your address as an endpoint of
 * their own could forge your events.
 */
export function newKeyPair(master: MasterSecret, endpointId: string): SignatureKey {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const secret = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  return {
    publicKey: Buffer.from(x, "base64url").toString("base64"),
    ...createPairBox(master).seal(secret, endpointId),
    expiresAt: null,
  };
}

/** A private key, and until when it signs. */
export interface OpenedPair {
  key: KeyObject;
  untilMs: number;
}

/** Opens a sealed signature key. Throws if neither master secret sealed the key. */
export function openPair(box: Sealer, pair: SignatureKey, endpointId: string): OpenedPair {
  return {
    key: createPrivateKey({
      ...{ key: Buffer.from(box.open(pair, endpointId), "base64"), format: "der", type: "pkcs8" },
    }),
    untilMs: pair.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(pair.expiresAt),
  };
}

export function livePairs(pairs: readonly SignatureKey[] | null, nowMs: number): SignatureKey[] {
  return (pairs ?? []).filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > nowMs);
}

/**
 * An endpoint's pairs after a rotation: a new one, and those that also sign until their overlap ends. Null if
 * the endpoint has none.
 */
export function rotatedPairs(
  master: MasterSecret,
  endpointId: string,
  pairs: readonly SignatureKey[] | null,
  { nowMs, overlapSeconds }: { nowMs: number; overlapSeconds: number },
): SignatureKey[] | null {
  const live = livePairs(pairs, nowMs);
  if (live.length === 0) return null;
  const until = new Date(nowMs + overlapSeconds * 1000).toISOString();
  const earlier = overlapSeconds === 0 ? [] : live;
  return [
    newKeyPair(master, endpointId),
    ...earlier.map((pair) => ({ ...pair, expiresAt: pair.expiresAt ?? until })),
  ];
}
