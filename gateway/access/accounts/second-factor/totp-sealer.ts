import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/master-secret.ts";

/** Seals the secrets of authenticator apps; each is bound to its person. */
export function sealerOf(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse authenticator secrets");
}
