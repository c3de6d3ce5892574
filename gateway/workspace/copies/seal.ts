import {
  createSealer,
  type MasterSecret,
  type Sealed,
  type Sealer,
} from "#gateway/platform/core/console-secret.ts";

const hintLength = 4;

/** Seals the secret access keys of destinations; each is bound to its destination. */
export function destinationSealer(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse destinations");
}

/** The columns of a sealed secret. */
export function sealedSecret(master: MasterSecret, id: string, secret: string) {
  const { keyId, ciphertext } = destinationSealer(master).seal(secret, id);
  return { sealedBy: keyId, ciphertext, secretHint: secret.slice(-hintLength) };
}

/** Throws if neither master secret sealed the credentials. */
export function openSecret(
  master: MasterSecret,
  { id, sealedBy, ciphertext }: { id: string; sealedBy: string; ciphertext: Sealed["ciphertext"] },
): string {
  return destinationSealer(master).open({ keyId: sealedBy, ciphertext }, id);
}
