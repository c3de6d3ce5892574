import { timingSafeEqual } from "node:crypto";
import { type IdKind, idPrefixes, isId } from "#contract/ids.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit, Limiter } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { credentialHash, newLinkSecret } from "./keys/format.ts";

/** Looks at links and uses of them, from one address. */
const linkTries: Limit = { name: "links", count: 30, periodMs: 60_000 };
const idLength = 26;

/** What a link carries: the id of its row, so that a replaced one can be told from a made-up one, and a secret. */
export function newLinkToken(id: string): { token: string; tokenHash: string } {
  const token = `${id.slice(-idLength)}${newLinkSecret()}`;
  return { token, tokenHash: credentialHash(token) };
}

/** The id in a link's token; null when it is malformed. */
export function idInToken(kind: IdKind, token: string): string | null {
  const id = `${idPrefixes[kind]}_${token.slice(0, idLength)}`;
  return isId(kind, id) ? id : null;
}

export function isTokenOf(token: string, tokenHash: string): boolean {
  return timingSafeEqual(Buffer.from(credentialHash(token)), Buffer.from(tokenHash));
}

/** Throws `rate_limit_exceeded` when too many links were tried from an address. */
export async function countLinkTry(limiter: Limiter, ip: string | null): Promise<void> {
  const taken = await limiter.take(addressBlock(ip ?? ""), linkTries);
  if (!taken.allowed) throw tooManyRequests("Too many links were tried. Wait a minute and try again.", taken);
}
