import "server-only";
import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { env } from "./env.ts";
import { signInKey, signInUser } from "./gateway/sign-in.ts";
import { cookieMaxAgeSeconds, type SessionToken, secureCookies } from "./session-token.ts";

/** next-auth knows the gateway's session as its user; the token goes into the sealed cookie and nowhere else. */
interface GatewayUser {
  id: string;
  token: SessionToken;
}

/** Read per request, so that a build needs no settings. */
export function authOptions(): NextAuthOptions {
  // next-auth reads its own address from the environment only.
  process.env.NEXTAUTH_URL ??= env.consoleUrl;
  return {
    secret: env.authSecret,
    useSecureCookies: secureCookies(),
    session: { strategy: "jwt", maxAge: cookieMaxAgeSeconds },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [passwordProvider, keyProvider],
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
    logger: {
      // A wrong password is no fault of the console; the gateway counts it.
      error: (code) => code !== "CALLBACK_CREDENTIALS_HANDLER_ERROR" && console.error(`next-auth: ${code}`),
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
    const address: unknown = request.headers?.["x-forwarded-for"];
    const result = await signInUser({ email, password }, typeof address === "string" ? address : null);
    if (!result.ok) throw new Error(result.error.code);
    return { id: result.data.accountId, token: result.data } satisfies GatewayUser;
  },
});

const keyProvider = CredentialsProvider({
  id: "account-key",
  name: "Account key",
  credentials: { key: { type: "password" } },
  async authorize(credentials) {
    const key = credentials?.key?.trim();
    if (!key) throw new Error("missing_api_key");
    const result = await signInKey(key);
    if (!result.ok) throw new Error(result.error.code);
    return { id: result.data.accountId, token: result.data } satisfies GatewayUser;
  },
});
