import "server-only";
import { decode, encode, type JWT } from "next-auth/jwt";
import { env } from "./env.ts";

/** Encrypts the content of the session cookie. */
export function sealCookie(content: JWT, maxAgeSeconds: number): Promise<string> {
  const [current] = env.sessionSecrets;
  return encode({ token: content, secret: current, maxAge: maxAgeSeconds });
}

/** Decrypts a session cookie; null if it was not encrypted here or has expired. */
export async function openCookie(sealed: string | undefined): Promise<JWT | null> {
  if (!sealed) return null;
  for (const secret of env.sessionSecrets) {
    const content = await decode({ token: sealed, secret }).catch(() => null);
    if (content) return content;
  }
  return null;
}
