import { randomBytes } from "node:crypto";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";

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

/** Seals the custom headers of endpoints, bound in the same way. */
export function createHeaderBox(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse webhook headers");
}
