import "server-only";
import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { env } from "./env.ts";
import { endGatewaySession, signInKey, signInUser } from "./gateway/sign-in.ts";
import { beginSecondFactor, passkeyProvider, secondFactorProvider } from "./second-factor-providers.ts";
import { openCookie, sealCookie } from "./session-cookie.ts";
import { cookieMaxAgeSeconds, type SessionToken, secureCookies, sessionTokenOf } from "./session-token.ts";
import { visitorOf } from "./signing-in.ts";

/** next-auth's user is the gateway's session; the token is stored only in the sealed cookie. */
interface GatewayUser {
  id: string;
  token: SessionToken;
}

/** The next-auth errors that an operator can fix; the others are visitors' mistakes. */
const faults = new Set([
  "CALLBACK_CREDENTIALS_JWT_ERROR",
  "INVALID_CALLBACK_URL_ERROR",
  "MISSING_NEXTAUTH_API_ROUTE_ERROR",
  "NO_SECRET",
  "SIGNOUT_ERROR",
]);

/** Read per request, so that a build needs no settings. */
export function authOptions(): NextAuthOptions {
  // next-auth reads its own address from the environment only.
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
      // What /api/auth/session may tell the browser: a name, never the bearer.
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
