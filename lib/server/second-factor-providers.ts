import "server-only";
import CredentialsProvider from "next-auth/providers/credentials";
import type { GatewayFailure, GatewayResult } from "../gateway/result.ts";
import { finishSignIn, signInPasskey } from "./gateway/sign-in.ts";
import type { SessionToken } from "./session-token.ts";
import { dropTicket, keepTicket, keptTicket } from "./sign-in-tickets.ts";
import { type SigningInRequest, visitorOf } from "./signing-in.ts";

/** Ends a sign-in that a password began: with a code, or with what a passkey signed. */
export const secondFactorProvider = CredentialsProvider({
  id: "second-factor",
  name: "Second factor",
  credentials: { code: { type: "text" }, credential: { type: "text" } },
  async authorize(given, request: SigningInRequest) {
    const ticket = await keptTicket("password");
    if (!ticket) throw new Error("sign_in_expired");
    const proof = given?.credential ? { credential: parsed(given.credential) } : { code: given?.code ?? "" };
    const result = await finishSignIn({ ticket, ...proof }, visitorOf(request));
    if (result.ok) await dropTicket("password");
    return userOf(result);
  },
});

/** Signs in with a passkey alone. */
export const passkeyProvider = CredentialsProvider({
  id: "passkey",
  name: "Passkey",
  credentials: { credential: { type: "text" } },
  async authorize(given, request: SigningInRequest) {
    const ticket = await keptTicket("passkey");
    if (!ticket) throw new Error("sign_in_expired");
    await dropTicket("passkey");
    const credential = parsed(given?.credential ?? "");
    return userOf(await signInPasskey({ ticket, credential }, visitorOf(request)));
  },
});

/** After a right password: keeps the ticket and says which ways there are, `second_factor_required:totp,passkey`. */
export async function beginSecondFactor({ code, secondFactor }: GatewayFailure): Promise<string> {
  if (!secondFactor) return code;
  await keepTicket("password", secondFactor.ticket, secondFactor.expires_at);
  return `${code}:${secondFactor.ways.join()}`;
}

function userOf(result: GatewayResult<SessionToken>) {
  if (!result.ok) throw new Error(result.error.code);
  return { id: result.data.accountId, token: result.data };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("invalid_second_factor");
  }
}
