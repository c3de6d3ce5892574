import "server-only";
import { decode, encode, type JWT } from "next-auth/jwt";
import { env } from "./env.ts";

/** Encrypts what the session cookie holds. */
export function sealCookie(content: JWT, maxAgeSeconds: number): Promise<string> {
  const [current] = env.sessionSecrets;
  return encode({ token: content, secret: current, maxAge: maxAgeSeconds });
}

/** What a session cookie holds; null when it was not sealed here or is too old. */
export async function openCookie(sealed: string | undefined): Promise<JWT | null> {
  if (!sealed) return null;
  for (const secret of env.sessionSecrets) {
    const content = await decode({ token: sealed, secret }).catch(() => null);
    if (content) return content;
  }
  return null;
}
