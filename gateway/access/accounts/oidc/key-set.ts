import { setTimeout as sleep } from "node:timers/promises";
import { boundedFetch } from "./bounded-fetch.ts";
import { isSignedByOneOf, type PublicKey, type SignedToken } from "./signature.ts";

/** A key that the provider withdrew is trusted no longer than this. */
const freshMs = 300_000;
/** Tokens with made-up keys make nobody ask more often. */
const betweenFetchesMs = 1_000;
const maxKeys = 50;

/** The keys that the provider signs with. */
export interface KeySet {
  /** Whether one of them signed the token. An unknown key is looked for again: providers change keys at any time. */
  hasSigned(address: string, token: SignedToken): Promise<boolean>;
}

export function createKeySet(): KeySet {
  let keys: PublicKey[] = [];
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | null = null;

  const refresh = (address: string): Promise<void> => {
    underWay ??= (async () => {
      const waitMs = fetchedAt + betweenFetchesMs - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      keys = await fetchKeys(address);
      fetchedAt = performance.now();
    })().finally(() => {
      underWay = null;
    });
    return underWay;
  };

  return {
    async hasSigned(address, token) {
      if (performance.now() - fetchedAt < freshMs && isSignedByOneOf(keys, token)) return true;
      await refresh(address);
      return isSignedByOneOf(keys, token);
    },
  };
}

async function fetchKeys(address: string): Promise<PublicKey[]> {
  const response = await boundedFetch(address, {
    method: "GET",
    headers: { accept: "application/json" },
    body: null,
    redirect: "manual",
  });
  if (!response.ok) throw new Error(`the keys at ${address} answer ${response.status}`);
  const { keys } = (await response.json()) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error(`there are no keys at ${address}`);
  return (keys as PublicKey[]).slice(0, maxKeys);
}
