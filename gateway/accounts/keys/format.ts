import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * Bearer credentials: `svc_live_<10-character id>_<43 base62 secret><6 base62 CRC32>` for account keys, `svc_sess_<43
 * base62 secret><6 base62 CRC32>` for signed-in users. The checksum rejects malformed keys without a look-up.
 */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const keyPattern = /^svc_live_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}$/;
const sessionPattern = /^svc_sess_[0-9A-Za-z]{49}$/;
const checksumLength = 6;

export function newAccountKey(): string {
  return withChecksum(`svc_live_${randomText(10)}_${randomText(43)}`);
}

export function newSessionToken(): string {
  return withChecksum(`svc_sess_${randomText(43)}`);
}

/** A secret of 256 bits for links. */
export function newLinkSecret(): string {
  return randomText(43);
}

/** The kind of credential by its format; null when it is malformed. */
export function credentialKind(text: string): "key" | "session" | null {
  const kind = keyPattern.test(text) ? "key" : sessionPattern.test(text) ? "session" : null;
  if (!kind) return null;
  return withChecksum(text.slice(0, -checksumLength)) === text ? kind : null;
}

/** The stored form of a credential: sha256, hex. The secret has 256 bits, so a slow hash would add nothing. */
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
