import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);
/** 32 MiB and about 60 ms: the OWASP figure for scrypt. */
const cost = { N: 32_768, r: 8, p: 3, maxmem: 128 * 1024 * 1024 };
const hashBytes = 32;

/** `scrypt$<salt>$<hash>`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize("NFKC"), salt, hashBytes, cost);
  return `scrypt$${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

/** Takes as long for an unknown user (`stored` null) as for a known one. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, saltText = "", hashText = ""] = (stored ?? "scrypt$AAAAAAAAAAAAAAAAAAAAAA$").split("$");
  const hash = await derive(password.normalize("NFKC"), Buffer.from(saltText, "base64url"), hashBytes, cost);
  const expected = Buffer.from(hashText, "base64url");
  return expected.length === hash.length && timingSafeEqual(expected, hash);
}
