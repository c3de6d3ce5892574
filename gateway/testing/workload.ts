import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { tokenExchange } from "#contract/key-rule-constants.ts";
import { sendForm } from "./agent.ts";
import type { TestGateway } from "./gateway.ts";
import type { Receiver } from "./receiver.ts";

interface TestKey {
  kid: string;
  alg: "RS256" | "ES256";
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** Issuers of workloads' tokens at paths of one server, with keys that a test may change. */
export interface TestIssuers {
  keys: TestKey[];
  /** The number of times that somebody read the keys. */
  reads: number;
  /** What is answered at `/.well-known/openid-configuration` below an issuer; by default its metadata. */
  metadata: ((issuer: string) => object) | null;
  issuer(name: string): string;
}

export function newSigningKey(kid: string, alg: TestKey["alg"] = "RS256"): TestKey {
  const pair =
    alg === "RS256"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { kid, alg, ...pair };
}

export function serveIssuers(web: Receiver): TestIssuers {
  const issuers: TestIssuers = {
    keys: [newSigningKey("first")],
    reads: 0,
    metadata: null,
    issuer: (name) => `${web.url}/${name}`,
  };
  web.answer(({ path }, response) => {
    const json = (value: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    const [, issuer] = /^(\/.*)\/\.well-known\/openid-configuration$/.exec(path) ?? [];
    if (issuer !== undefined)
      return json(
        issuers.metadata?.(web.url + issuer) ?? { issuer: web.url + issuer, jwks_uri: `${web.url}/jwks` },
      );
    if (path !== "/jwks") return response.writeHead(404).end();
    issuers.reads += 1;
    return json({
      keys: issuers.keys.map(({ kid, alg, publicKey }) => ({
        ...publicKey.export({ format: "jwk" }),
        kid,
        alg,
        use: "sig",
      })),
    });
  });
  return issuers;
}

const part = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A signed token. `header` and `payload` may be the exact text of a forger. */
export function signToken(
  { kid, alg, privateKey }: TestKey,
  payload: object | string,
  header: object | string = { alg, kid, typ: "JWT" },
): string {
  const signed = `${part(header)}.${part(payload)}`;
  const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

/** A token that a forger signed with a shared secret. */
export function signWithSecret(secret: string, payload: object, header: object): string {
  const signed = `${part(header)}.${part(payload)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

/** The claims of time that every issuer sends. */
export function times(fromSeconds = 0, lifetimeSeconds = 300) {
  const now = Math.floor(Date.now() / 1000) + fromSeconds;
  return { iat: now, nbf: now, exp: now + lifetimeSeconds };
}

/** Exchanges a workload's token, as GitHub's, GitLab's or Kubernetes' scripts do with curl. */
export function exchange(
  gateway: TestGateway,
  accountId: string,
  token: string,
  more: Record<string, string> = {},
) {
  return sendForm(gateway, "/oauth/token", {
    grant_type: tokenExchange.grant,
    audience: accountId,
    subject_token: token,
    subject_token_type: tokenExchange.jwt,
    ...more,
  });
}
