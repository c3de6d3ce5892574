import "server-only";
import { env } from "./env.ts";

/**
 * The content security policy of a page. Development needs eval and inline styles for React and Turbopack.
 */
export function contentPolicy(nonce: string, development = process.env.NODE_ENV === "development"): string {
  const media = mediaOrigins().join(" ");
  const directives = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    // Only for style attributes in the server's HTML, e.g. highlighted code.
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' blob: data: ${media}`,
    `media-src 'self' blob: data: ${media}`,
    `connect-src 'self' blob: data: ${media}`,
    "font-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return directives.join("; ");
}

/** Whether the policy allows pages to show media from an address. */
export function showsMedia(url: string): boolean {
  const origin = URL.parse(url)?.origin;
  return origin !== undefined && mediaOrigins().includes(origin);
}

function mediaOrigins(): string[] {
  return [env.mediaOrigin, ...env.extraMediaOrigins];
}
