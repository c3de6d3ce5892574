import type * as client from "openid-client";
import type { CustomFetch } from "openid-client";
import type { Logger } from "pino";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { OidcConfig } from "#gateway/platform/core/oidc-config.ts";
import type { Claims, ProvedClaims } from "./claims.ts";
import { createKeySet, decodeToken, type PublicKey, type SignedToken } from "./signed-token.ts";

/** The most that the provider's clock may differ from ours. */
export const clockToleranceSeconds = 60;

const metadataFreshMs = 3_600_000;

/** The library is loaded only if an identity provider is configured. */
const openidClient = () => import("openid-client");

/** The values that a returning browser must match. */
export interface Expected {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The configured identity provider. */
export interface Provider {
  settings: OidcConfig;
  /** The URL where a browser signs in. Throws `service_unavailable`. */
  signInAddress(expected: Expected): Promise<string>;
  /** Exchanges the code for claims. Throws `provider_sign_in_failed`, `service_unavailable`. */
  claimsFor(answer: { code: string; iss: string | undefined }, expected: Expected): Promise<ProvedClaims>;
  /** Whether the provider signed the token. Throws `service_unavailable`. */
  hasSigned(token: SignedToken): Promise<boolean>;
}

export function createProvider(settings: OidcConfig, redirectUri: () => string, log: Logger): Provider {
  const keySet = createKeySet(fetchKeys);
  let known: { configurations: client.Configuration[]; readAt: number } | null = null;
  let reading: Promise<client.Configuration[]> | null = null;

  /** One configuration per method of client authentication, beginning with the method that last worked. */
  const configurations = (): Promise<client.Configuration[]> => {
    if (known && performance.now() - known.readAt < metadataFreshMs)
      return Promise.resolve(known.configurations);
    reading ??= discover(settings)
      .then((found) => {
        known = { configurations: found, readAt: performance.now() };
        return found;
      })
      .finally(() => {
        reading = null;
      });
    return reading.catch((error: unknown) => {
      log.warn({ err: plain(error), issuer: settings.issuer }, "the identity provider cannot be reached");
      throw unreachable();
    });
  };

  const exchange = async (address: URL, expected: Expected) => {
    const ways = await configurations();
    const { authorizationCodeGrant, ResponseBodyError } = await openidClient();
    const checks = {
      pkceCodeVerifier: expected.codeVerifier,
      expectedState: expected.state,
      expectedNonce: expected.nonce,
      idTokenExpected: true,
    };
    for (const [index, way] of ways.entries()) {
      try {
        const tokens = await authorizationCodeGrant(way, address, checks);
        if (index > 0) known = { configurations: [way], readAt: performance.now() };
        return { way, tokens };
      } catch (error) {
        const isLast = index === ways.length - 1;
        const isRefusedSecret = error instanceof ResponseBodyError && error.error === "invalid_client";
        if (isLast || !isRefusedSecret) throw error;
      }
    }
    throw unreachable();
  };

  const hasSigned = async (token: SignedToken): Promise<boolean> => {
    const [first] = await configurations();
    const address = first?.serverMetadata().jwks_uri;
    if (!address) throw unreachable();
    return keySet.hasSigned(address, token).catch((error: unknown) => {
      log.warn({ err: plain(error) }, "the identity provider's keys cannot be read");
      throw unreachable();
    });
  };

  return {
    settings,
    hasSigned,
    async signInAddress({ state, nonce, codeVerifier }) {
      const [first] = await configurations();
      if (!first) throw unreachable();
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openidClient();
      return buildAuthorizationUrl(first, {
        redirect_uri: redirectUri(),
        scope: settings.scopes.join(" "),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
      }).href;
    },
    async claimsFor({ code, iss }, expected) {
      const address = new URL(redirectUri());
      address.search = new URLSearchParams({ code, state: expected.state, ...(iss && { iss }) }).toString();
      const { way, tokens } = await exchange(address, expected).catch((error: unknown) => {
        throw failureOf(error, log);
      });
      const idToken = tokens.claims();
      const signed = decodeToken(tokens.id_token ?? "");
      const latest = clock.now() / 1000 + clockToleranceSeconds;
      if (!idToken || !signed || idToken.iat > latest || !(await hasSigned(signed))) {
        log.warn("an ID token was not signed by the identity provider, or comes from the future");
        throw failed();
      }
      if (!isAbout(idToken, settings.clientId)) {
        log.warn("an ID token names nobody, or was made for another client");
        throw failed();
      }
      return {
        issuer: idToken.iss,
        subject: idToken.sub,
        providerSession: typeof idToken.sid === "string" ? idToken.sid : null,
        idToken,
        userInfo: await userInfo(way, tokens.access_token, idToken.sub, log),
      };
    },
  };
}

/** Whether a verified token identifies a person, and was issued for this client. */
function isAbout({ sub, azp }: client.IDToken, clientId: string): boolean {
  return sub.trim() !== "" && (azp === undefined || azp === clientId);
}

async function discover(settings: OidcConfig): Promise<client.Configuration[]> {
  const client = await openidClient();
  const { issuer, clientId, clientSecret } = settings;
  const isPlain = issuer.startsWith("http:");
  const first = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    timeout: timeoutSeconds,
    [client.customFetch]: boundedFetch,
    ...(isPlain && { execute: [client.allowInsecureRequests] }),
  });
  const metadata = first.serverMetadata();
  const offered = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const ways = [
    ...(offered.includes("client_secret_basic") ? [client.ClientSecretBasic(clientSecret)] : []),
    ...(offered.includes("client_secret_post") ? [client.ClientSecretPost(clientSecret)] : []),
  ];
  const used = ways.length > 0 ? ways : [client.ClientSecretBasic(clientSecret)];
  return used.map((way) => {
    const configuration = new client.Configuration(
      metadata,
      clientId,
      { [client.clockTolerance]: clockToleranceSeconds },
      way,
    );
    configuration.timeout = timeoutSeconds;
    configuration[client.customFetch] = boundedFetch;
    if (isPlain) client.allowInsecureRequests(configuration);
    return configuration;
  });
}

/** Some providers list groups only here. If it cannot be read, only the ID token counts. */
async function userInfo(
  way: client.Configuration,
  token: string,
  subject: string,
  log: Logger,
): Promise<Claims> {
  if (!way.serverMetadata().userinfo_endpoint) return {};
  const { fetchUserInfo } = await openidClient();
  return fetchUserInfo(way, token, subject).catch((error: unknown) => {
    log.warn({ err: plain(error) }, "the identity provider's userinfo could not be read");
    return {};
  });
}

function failureOf(error: unknown, log: Logger): ApiError {
  if (error instanceof ApiError) return error;
  log.warn({ err: plain(error) }, "a sign-in with the identity provider failed");
  const isAway = error instanceof TypeError || (error as { code?: string }).code === "OAUTH_TIMEOUT";
  return isAway ? unreachable() : failed();
}

/** Errors of the library may contain tokens and answers, so only these fields are logged. */
function plain(error: unknown): { type: string; message: string; code?: string; error?: string } {
  const {
    name = "Error",
    message = "",
    code,
    error: reason,
  } = error as Error & { code?: string; error?: string };
  return {
    type: name,
    message,
    ...(typeof code === "string" && { code }),
    ...(typeof reason === "string" && { error: reason }),
  };
}

export function failed(): ApiError {
  return new ApiError(
    "provider_sign_in_failed",
    "The identity provider's answer could not be verified. Start again. If it keeps failing, contact the operator of Gatehouse.",
  );
}

function unreachable(): ApiError {
  return new ApiError(
    "service_unavailable",
    "The identity provider cannot be reached. Try again in a moment.",
  );
}

async function fetchKeys(address: string): Promise<PublicKey[]> {
  const response = await boundedFetch(address, {
    method: "GET",
    headers: { accept: "application/json" },
    body: null,
    redirect: "manual",
  });
  if (!response.ok) throw new Error(`reading the keys from ${address} failed with status ${response.status}`);
  const { keys } = (await response.json()) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error(`there are no keys at ${address}`);
  return keys as PublicKey[];
}

/** Metadata, keys, tokens and claims are a few kilobytes. */
const maxAnswerBytes = 1_000_000;

const timeoutSeconds = 10;

/** Reads an answer of the identity provider completely, with limits of size and time, without redirects. */
const boundedFetch: CustomFetch = async (url, options) => {
  const signal = options.signal ?? AbortSignal.timeout(timeoutSeconds * 1000);
  const response = await fetch(url, { ...options, signal } as RequestInit);
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > maxAnswerBytes) throw new Error(`the answer of ${new URL(url).host} is too large`);
    pieces.push(piece);
  }
  const { status, headers } = response;
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? Buffer.concat(pieces) : null, { status, headers });
};
