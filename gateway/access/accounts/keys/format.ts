import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * Bearer credentials: `svc_live_<10-character id>_<43 base62 secret><6 base62 CRC32>` for account keys,
 * `svc_sess_<43 base62 secret><6 base62 CRC32>` for signed-in users, and `svc_conn_…` in the same form for
 * connections, `svc_short_…` for short keys. The checksum rejects malformed keys without a look-up.
 */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const keyPattern = /^svc_live_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}$/;
const shortKeyPattern = /^svc_short_[0-9A-Za-z]{49}$/;
const accessTokenPattern = /^svc_conn_[0-9A-Za-z]{49}$/;
const refreshTokenPattern = /^svc_refr_[0-9A-Za-z]{43}_[0-9A-Za-z]{49}$/;
const sessionPattern = /^svc_sess_[0-9A-Za-z]{49}$/;
const checksumLength = 6;

export function newAccountKey(): string {
  return withChecksum(`svc_live_${randomText(10)}_${randomText(43)}`);
}

export function newSessionToken(): string {
  return withChecksum(`svc_sess_${randomText(43)}`);
}

/** The access token of a connection, which is the secret of its key for one hour. */
export function newAccessToken(): string {
  return withChecksum(`svc_conn_${randomText(43)}`);
}

/** A key that a workload gets for its own token. */
export function newShortKey(): string {
  return withChecksum(`svc_short_${randomText(43)}`);
}

/** The next refresh token of a connection; all of them start with the same `family`. */
export function newRefreshToken(family = newLinkSecret()): string {
  return withChecksum(`svc_refr_${family}_${randomText(43)}`);
}

/** The part that all refresh tokens of a connection share; null if the token is malformed. */
export function familyOf(refreshToken: string): string | null {
  if (!refreshTokenPattern.test(refreshToken)) return null;
  if (withChecksum(refreshToken.slice(0, -checksumLength)) !== refreshToken) return null;
  return refreshToken.split("_", 3)[2] ?? null;
}

/** Whether the text has the form of a connection's access token; its checksum is not checked. */
export function isAccessToken(text: string): boolean {
  return accessTokenPattern.test(text);
}

/** Whether the text has the form of a short key; its checksum is not checked. */
export function isShortKey(text: string): boolean {
  return shortKeyPattern.test(text);
}

/** A 256-bit secret for links. */
export function newLinkSecret(): string {
  return randomText(43);
}

export type CredentialKind = "key" | "short_key" | "session";

/** The kind of credential, by its format; null if malformed. */
export function credentialKind(text: string): CredentialKind | null {
  const isKey = keyPattern.test(text) || accessTokenPattern.test(text);
  const kind = isKey ? "key" : isShortKey(text) ? "short_key" : sessionPattern.test(text) ? "session" : null;
  if (!kind) return null;
  return withChecksum(text.slice(0, -checksumLength)) === text ? kind : null;
}

/**
 * The stored form of a credential: sha256, hex. The secret has 256 bits, so a slow hash would not add
 * security.
 */
export function credentialHash(text: string): string {
  return hash("sha256", text);
}

/** The part of a key that may be shown later. */
export function keyHint(key: string): string {
  return `${key.slice(0, 13)}…${key.slice(-4)}`;
}

function withChecksum(text: string): string {
  let rest = crc32(text);
  let sum = "";
  for (let place = 0; place < checksumLength; place += 1) {
    sum = alphabet.charAt(rest % 62) + sum;
    rest = Math.floor(rest / 62);
  }
  return text + sum;
}

/** Unbiased base62 of `length` characters. */
function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}
