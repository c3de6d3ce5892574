import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";

/** Seals provider keys; each is bound to its provider and region. */
export function keySealer(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse provider keys");
}

/** The provider and region that a sealed key is bound to. */
export function keyOwner(providerId: string, region: string): string {
  return `${providerId} ${region}`;
}
