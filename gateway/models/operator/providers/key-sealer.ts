import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";

/** Seals the keys of providers; each is bound to its provider and region. */
export function keySealer(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse provider keys");
}

/** What a sealed key is bound to. */
export function keyOwner(providerId: string, region: string): string {
  return `${providerId} ${region}`;
}
