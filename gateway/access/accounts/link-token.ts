import { timingSafeEqual } from "node:crypto";
import { type IdKind, idPrefixes, isId } from "#contract/ids.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit, Limiter } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { credentialHash, newLinkSecret } from "./keys/format.ts";

/** Views and uses of links, per IP address. */
const linkTries: Limit = { name: "links", count: 30, periodMs: 60_000 };
const idLength = 26;

/**
 * The token of a link: the id of its row, so that a replaced link can be distinguished from an invented one,
 * and a secret.
 */
export function newLinkToken(id: string): { token: string; tokenHash: string } {
  const token = `${id.slice(-idLength)}${newLinkSecret()}`;
  return { token, tokenHash: credentialHash(token) };
}

/** The id in a link's token; null if malformed. */
export function idInToken(kind: IdKind, token: string): string | null {
  const id = `${idPrefixes[kind]}_${token.slice(0, idLength)}`;
  return isId(kind, id) ? id : null;
}

export function isTokenOf(token: string, tokenHash: string): boolean {
  return timingSafeEqual(Buffer.from(credentialHash(token)), Buffer.from(tokenHash));
}

/** Throws `rate_limit_exceeded` if an address tried too many links. */
export async function countLinkTry(limiter: Limiter, ip: string | null): Promise<void> {
  const taken = await limiter.take(addressBlock(ip ?? ""), linkTries);
  if (!taken.allowed) throw tooManyRequests("Too many links were tried. Wait a minute and try again.", taken);
}
