import "server-only";
import type { NextRequest } from "next/server";
import { isSameOrigin } from "./csrf.ts";
import { beginPasskey } from "./gateway/sign-in.ts";
import { currentVisitor } from "./gateway/visitor.ts";
import { cachePolicy, crossSiteRefusal, refusal } from "./refusal.ts";
import { keepTicket, keptTicket } from "./sign-in-tickets.ts";

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
