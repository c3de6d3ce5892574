import "server-only";
import { NextRequest } from "next/server";
import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { clientAddressHeader } from "#contract/client-address.ts";
import type { GatewayFailure, GatewayResult } from "../gateway/result.ts";
import { cachePolicy, crossSiteRefusal, isSameOrigin, refusal } from "./csrf.ts";
import { env } from "./env.ts";
import {
  beginPasskey,
  currentVisitor,
  endGatewaySession,
  finishSignIn,
  signInKey,
  signInPasskey,
  signInUser,
  type Visitor,
} from "./gateway/sign-in.ts";
import { dropTicket, keepTicket, keptTicket } from "./session.ts";
import {
  cookieMaxAgeSeconds,
  openCookie,
  type SessionToken,
  sealCookie,
  secureCookies,
  sessionTokenOf,
} from "./session-cookie.ts";

/** next-auth's user is the gateway's session. The token is stored only in the encrypted cookie. */
interface GatewayUser {
  id: string;
  token: SessionToken;
}

/** next-auth errors that an operator can fix. Other errors are visitors' mistakes. */
const faults = new Set([
  "CALLBACK_CREDENTIALS_JWT_ERROR",
  "INVALID_CALLBACK_URL_ERROR",
  "MISSING_NEXTAUTH_API_ROUTE_ERROR",
  "NO_SECRET",
  "SIGNOUT_ERROR",
]);

/** Settings are read at each request, so that a build needs none. */
export function authOptions(): NextAuthOptions {
  // next-auth reads the console's address only from the environment.
  process.env.NEXTAUTH_URL ??= env.consoleUrl;
  return {
    secret: env.sessionSecrets[0],
    useSecureCookies: secureCookies(),
    session: { strategy: "jwt", maxAge: cookieMaxAgeSeconds },
    jwt: {
      encode: ({ token, maxAge }) => sealCookie(token ?? {}, maxAge ?? cookieMaxAgeSeconds),
      decode: ({ token }) => openCookie(token),
    },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [passwordProvider, secondFactorProvider, passkeyProvider, keyProvider],
    callbacks: {
      jwt({ token, user }) {
        const signedIn = user as GatewayUser | undefined;
        if (!signedIn) return token;
        return { name: signedIn.token.name, email: signedIn.token.email, gatehouse: signedIn.token };
      },
      // /api/auth/session may return a name to the browser, never the bearer token.
      session: ({ token, session }) => ({
        expires: session.expires,
        user: { name: token.name ?? null, email: token.email ?? null },
      }),
    },
    events: {
      async signOut({ token }) {
        const session = sessionTokenOf(token);
        if (session) await endGatewaySession(session);
      },
    },
    logger: {
      error: (code) => faults.has(code) && console.error(`next-auth: ${code}`),
      warn: () => {},
      debug: () => {},
    },
  };
}

/** The request in the form in which next-auth passes it to a provider. */
interface SigningInRequest {
  headers?: Record<string, unknown> | undefined;
}

const passwordProvider = CredentialsProvider({
  id: "password",
  name: "E-mail and password",
  credentials: { email: { type: "email" }, password: { type: "password" } },
  async authorize(credentials, request) {
    const { email, password } = credentials ?? {};
    if (!email || !password) throw new Error("invalid_credentials");
    const result = await signInUser({ email, password }, visitorOf(request));
    if (!result.ok) throw new Error(await beginSecondFactor(result.error));
    return { id: result.data.accountId, token: result.data } satisfies GatewayUser;
  },
});

/** Address and browser of the person who signs in. */
function visitorOf(request: SigningInRequest): Visitor {
  const header = (name: string) => {
    const value = request.headers?.[name];
    return typeof value === "string" ? value : null;
  };
  return { address: header(clientAddressHeader), userAgent: header("user-agent") };
}

const keyProvider = CredentialsProvider({
  id: "account-key",
  name: "Account key",
  credentials: { key: { type: "password" } },
  async authorize(credentials, request) {
    const key = credentials?.key?.trim();
    if (!key) throw new Error("missing_api_key");
    const result = await signInKey(key, visitorOf(request));
    if (!result.ok) throw new Error(result.error.code);
    return { id: result.data.accountId, token: result.data } satisfies GatewayUser;
  },
});

/** The second step after a password: a code, or a passkey's signature. */
const secondFactorProvider = CredentialsProvider({
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

/** Signs in with a passkey instead of a password. */
const passkeyProvider = CredentialsProvider({
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

/**
 * After a correct password: stores the ticket and lists the ways to continue, as
 * `second_factor_required:totp,passkey`.
 */
async function beginSecondFactor({ code, secondFactor }: GatewayFailure): Promise<string> {
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

/**
 * The only routes that are answered: those that pages and scripts use. next-auth has more routes, some of
 * them public; requests to them are refused.
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

/** No sign-in form sends more bytes than this. */
const maxBodyBytes = 16 * 1024;
const formType = "application/x-www-form-urlencoded";

/** Handles these routes with a bounded body, and refuses all others. */
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

/** The whole body. Null if it exceeds the limit, which also bounds the memory. */
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

/** The browser's options for requesting a passkey. `after=password` is the second step of a sign-in. */
export async function answerPasskeyOptions(request: NextRequest): Promise<Response> {
  if (!isSameOrigin(request)) return crossSiteRefusal();
  const begun = (await request.formData()).get("after") === "password" ? "password" : "passkey";
  const ticket = begun === "password" ? await keptTicket("password") : undefined;
  if (ticket === null) return refusal(410, "sign_in_expired", "The sign-in took too long. Start again.");
  const result = await beginPasskey(ticket, await currentVisitor());
  if (!result.ok) return refusal(result.error.status || 502, result.error.code, result.error.message);
  await keepTicket(begun, result.data.ticket, result.data.expires_at);
  return Response.json(result.data.public_key, { headers: { "cache-control": cachePolicy } });
}
