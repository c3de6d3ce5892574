import { randomBytes } from "node:crypto";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";

const hintLength = 4;

/** A fresh signing secret: `whsec_` and the base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** What may be shown of a secret afterwards. */
export function secretHint(secret: string): string {
  return secret.slice(-hintLength);
}

/** Seals the signing secrets of endpoints; each is bound to the id of its endpoint. */
export function createSecretBox(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse webhook secrets");
}

/** Seals the own headers of endpoints, likewise. */
export function createHeaderBox(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse webhook headers");
}
