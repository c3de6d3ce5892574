import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/master-secret.ts";

const shownCharacters = 4;

/** Seals the addresses of hooks: who knows one can post there. Each is bound to its hook. */
export function hookSealer(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse notice hooks");
}

/** What may be shown of an address. */
export function hookHint(url: string): string {
  return `${new URL(url).host}/…${url.slice(-shownCharacters)}`;
}
