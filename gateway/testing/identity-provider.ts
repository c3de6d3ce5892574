import { generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

export const testClient = { id: "gatehouse", secret: "a-client-secret-that-only-tests-know" };

/** A person at the provider: their claims besides `sub`. */
export type TestPerson = Record<string, unknown>;

interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

/** A real identity provider (oidc-provider), whose tokens a test may change and sign again. */
export interface TestIdentityProvider {
  issuer: string;
  people: Map<string, TestPerson>;
  /** The person who signs in next, without a form. */
  current: string;
  /** Changes the next ID tokens; the result is signed with the provider's key. */
  changeIdToken: ((payload: Record<string, unknown>) => Record<string, unknown>) | null;
  /** The requests to the token endpoint. */
  tokenRequests: URLSearchParams[];
  signLogoutToken(payload: Record<string, unknown>, header?: Record<string, unknown>): string;
  /** Lets the provider itself send a logout token for a person's session. */
  logOut(subject: string, providerSession: string): Promise<void>;
  /** The provider's session of the last ID token. */
  lastSession(): string;
  /** Switches to a new signing key. */
  rotateKeys(): void;
  close(): Promise<void>;
}

export interface TestIdentityProviderOptions {
  redirectUri: string;
  /** The address for logout tokens. */
  logoutUri: string;
}

/**
 * Starts it on a port of this machine, a free one by default. `options` is read when the first request
 * arrives.
 */
export async function startIdentityProvider(
  options: () => TestIdentityProviderOptions,
  port = 0,
): Promise<TestIdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let key = newKey();
  let running: Provider | null = null;
  let session = "";

  const provider: TestIdentityProvider = {
    issuer,
    people: new Map(),
    current: "",
    changeIdToken: null,
    tokenRequests: [],
    signLogoutToken: (payload, header = { typ: "logout+jwt" }) => signToken(key, header, payload),
    async logOut(subject, providerSession) {
      const client = await (running as Provider).Client.find(testClient.id);
      await client.backchannelLogout(subject, providerSession);
    },
    lastSession: () => session,
    rotateKeys() {
      key = newKey();
      running = null;
    },
    close: () => closeServer(server),
  };

  server.on("request", (request, response) => {
    running ??= newProvider(provider, key, options(), (id) => {
      session = id;
    });
    running.callback()(request, response);
  });
  return provider;
}

function newProvider(
  test: TestIdentityProvider,
  key: SigningKey,
  { redirectUri, logoutUri }: TestIdentityProviderOptions,
  sawSession: (id: string) => void,
): Provider {
  const jwk = { ...key.privateKey.export({ format: "jwk" }), kid: key.kid, use: "sig", alg: "RS256" };
  const provider = new Provider(test.issuer, {
    clients: [
      {
        client_id: testClient.id,
        client_secret: testClient.secret,
        redirect_uris: [redirectUri],
        backchannel_logout_uri: logoutUri,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ["a-cookie-key-that-only-tests-know"] },
    claims: {
      openid: ["sub", "groups", "_claim_names", "_claim_sources"],
      email: ["email", "email_verified"],
      profile: ["name"],
    },
    conformIdTokenClaims: false,
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    // The library's own fetch needs another version of undici.
    fetch: (url: string, { dispatcher: _, ...rest }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, rest),
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/auto/${uid}` },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...test.people.get(id) }),
    }),
    loadExistingGrant: async (context: {
      oidc: { client: { clientId: string }; session: { accountId: string } };
    }) => {
      const { client, session } = context.oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    if (context.path.startsWith("/auto/")) {
      context.respond = false;
      return provider.interactionFinished(context.req, context.res, { login: { accountId: test.current } });
    }
    await next();
    const { body } = context as { body?: { id_token?: string } };
    if (context.path !== "/token" || !body?.id_token) return;
    const { body: sent } = (context as unknown as { oidc: { body: Record<string, string> } }).oidc;
    test.tokenRequests.push(new URLSearchParams(sent));
    const payload = decodePayload(body.id_token);
    sawSession(String(payload.sid));
    if (test.changeIdToken) body.id_token = signToken(key, {}, test.changeIdToken(payload));
  });
  return provider;
}

/** A browser at the provider: follows redirects with its cookies until it is sent back to the console. */
export async function signInAt(issuer: string, address: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  while (url.origin === issuer) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const location = response.headers.get("location");
    if (!location)
      throw new Error(`the identity provider answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
  }
  return url.searchParams;
}

function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { kid: randomUUID(), privateKey };
}

function signToken(
  { kid, privateKey }: SigningKey,
  header: Record<string, unknown>,
  payload: Record<string, unknown>,
): string {
  const parts = [{ alg: "RS256", kid, ...header }, payload].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const signed = parts.join(".");
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

function decodePayload(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<
    string,
    unknown
  >;
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
