import "server-only";
import { NextRequest } from "next/server";
import { cachePolicy, crossSiteRefusal, isSameOrigin, refusal } from "./csrf.ts";
import { beginPasskey, currentVisitor } from "./gateway/sign-in.ts";
import { keepTicket, keptTicket } from "./sign-in-tickets.ts";

/**
 * The routes that pages and scripts use: our own `passkey-options`, and these of next-auth. It has more, some
 * of them public.
 */
const answered = new Set([
  "GET csrf",
  "GET session",
  "POST callback/password",
  "POST callback/second-factor",
  "POST callback/passkey",
  "POST callback/account-key",
  "POST passkey-options",
  "POST signout",
]);

/** More than any sign-in form sends. */
const maxBodyBytes = 16 * 1024;
const formType = "application/x-www-form-urlencoded";

/** Handles the routes above with a bounded body, and refuses all others. */
export async function answerAuth(
  request: NextRequest,
  segments: readonly string[],
  answer: (request: NextRequest) => Promise<Response>,
): Promise<Response> {
  const { method, headers } = request;
  if (!answered.has(`${method} ${segments.join("/")}`))
    return refusal(404, "route_not_found", "Route not found.");
  if (method === "GET") return answer(request);
  if (headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() !== formType)
    return refusal(415, "unsupported_media_type", `Send a form as ${formType}.`);
  const body = await readBounded(request);
  if (body === null) return refusal(413, "request_too_large", `A form has at most ${maxBodyBytes} bytes.`);
  return answer(new NextRequest(request.url, { method, headers, body }));
}

/** The whole body, or null if it exceeds the limit; never holds more than the limit. */
async function readBounded(request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) return null;
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > maxBodyBytes) return null;
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** The browser's options for asking for a passkey; `after=password` for the second step of a sign-in. */
export async function answerPasskeyOptions(request: NextRequest): Promise<Response> {
  if (!isSameOrigin(request)) return crossSiteRefusal();
  const begun = (await request.formData()).get("after") === "password" ? "password" : "passkey";
  const ticket = begun === "password" ? await keptTicket("password") : undefined;
  if (ticket === null) return refusal(410, "sign_in_expired", "This took too long. Start again.");
  const result = await beginPasskey(ticket, await currentVisitor());
  if (!result.ok) return refusal(result.error.status || 502, result.error.code, result.error.message);
  await keepTicket(begun, result.data.ticket, result.data.expires_at);
  return Response.json(result.data.public_key, { headers: { "cache-control": cachePolicy } });
}
