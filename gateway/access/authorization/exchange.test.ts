import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { KeyRule, KeyRuleCreate } from "#contract/key-rules.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { rootOf } from "#gateway/testing/agent.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { startReceiver } from "#gateway/testing/receiver.ts";
import {
  exchange,
  newSigningKey,
  serveIssuers,
  signToken,
  signWithSecret,
  times,
} from "#gateway/testing/workload.ts";
import { refusedTokens } from "./exchange.ts";

const authority = shared(() => makeAuthority(newFolder("exchange")));
const web = shared(() => startReceiver(authority.local));
const issuers = shared(() => serveIssuers(web));
const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());
const other = shared(() => gateway.createAccount());

beforeEach(async () => {
  const { webhooks } = gateway.context.config;
  Object.assign(webhooks, { allowCidrs: ["127.0.0.0/8"], ports: [443, web.port], caFile: authority.caFile });
  await gateway.context.limiter.reset(addressBlock("127.0.0.1"), refusedTokens);
});

const audienceOf = (accountId: string) => `${gateway.context.config.publicUrl}/${accountId}`;
async function makeRule(input: Partial<KeyRuleCreate>, owner = account) {
  const { status, body } = await call(gateway, owner.session, "POST", "/key_rules", {
    ...{ name: "Rule", issuer: issuers.issuer("ci"), claims: { sub: "job" } },
    ...input,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body as unknown as KeyRule;
}
const firstKey = () => issuers.keys[0] as (typeof issuers.keys)[number];
const runsChat = async (key = "") =>
  (
    await call(gateway, key, "POST", "/chat/completions", {
      model: "svc/chat-1",
      messages: [{ role: "user", content: "hello" }],
    })
  ).status === 200;

/** Tokens as the platforms' documents show them, apart from issuer, audience and times. */
const published: Record<string, { claims: object; rule: KeyRuleCreate["claims"]; header?: object }> = {
  "GitHub Actions": {
    claims: {
      jti: "4b6f9a4e-6a24-4c44-8b43-2d6f64c7f1a1",
      sub: "repo:octo-org/octo-repo:environment:prod",
      ...{
        environment: "prod",
        ref: "refs/heads/main",
        sha: "example-sha",
        repository: "octo-org/octo-repo",
      },
      ...{ repository_owner: "octo-org", actor_id: "12", repository_visibility: "private" },
      ...{ repository_id: "74", repository_owner_id: "65", run_id: "example-run-id", run_number: "10" },
      ...{ run_attempt: "2", runner_environment: "github-hosted", actor: "octocat", workflow: "example" },
      ...{ head_ref: "", base_ref: "", event_name: "workflow_dispatch", ref_type: "branch" },
      job_workflow_ref: "octo-org/octo-automation/.github/workflows/oidc.yml@refs/heads/main",
    },
    rule: { repository_owner_id: "65", repository_id: "74", ref: "refs/heads/*" },
    header: { x5t: "example-thumbprint" },
  },
  GitLab: {
    claims: {
      ...{ jti: "235b3a54-b797-45c7-ae9a-f72d7bc6ef5b", project_id: "22", user_id: "42" },
      ...{ sub: "project_path:my-group/my-project:ref_type:branch:ref:feature-branch-1" },
      ...{ namespace_id: "72", namespace_path: "my-group", project_path: "my-group/my-project" },
      ...{ user_login: "sample-user", user_email: "sample-user@example.com", user_access_level: "developer" },
      user_identities: [{ provider: "github", extern_uid: "2435223452345" }],
      ...{ pipeline_id: "574", pipeline_source: "push", job_id: "302", ref: "feature-branch-1" },
      ...{ ref_type: "branch", ref_protected: "false", runner_id: 1, runner_environment: "gitlab-hosted" },
      groups_direct: ["mygroup/mysubgroup", "myothergroup/myothersubgroup"],
    },
    rule: { namespace_path: "my-group", project_id: "22", ref_protected: "false", runner_id: "1" },
  },
  Kubernetes: {
    claims: {
      sub: "system:serviceaccount:my-namespace:my-serviceaccount",
      "kubernetes.io": {
        namespace: "my-namespace",
        node: { name: "my-node", uid: "646e7c5e-32d6-4d42-9dbd-e504e6cbe6b1" },
        pod: { name: "my-pod", uid: "5e0bd49b-f040-43b0-99b7-22765a53f7f3" },
        serviceaccount: { name: "my-serviceaccount", uid: "14ee3fa4-a7e2-420f-9f9a-dbc4507c3798" },
        warnafter: 1729605240,
      },
    },
    rule: { sub: "system:serviceaccount:my-namespace:*", "/kubernetes.io/pod/name": "my-pod" },
  },
};

describe("a token that its platform signs", () => {
  it.each(Object.entries(published))("as %s makes it runs a chat", async (name, { claims, rule, header }) => {
    const issuer = issuers.issuer(encodeURIComponent(name));
    await makeRule({ issuer, claims: rule });
    const aud = name === "Kubernetes" ? [audienceOf(account.accountId)] : audienceOf(account.accountId);
    const { kid, alg } = firstKey();
    const own = name === "Kubernetes" ? { alg, kid } : { typ: "JWT", alg, kid, ...header };
    const token = signToken(firstKey(), { iss: issuer, aud, ...claims, ...times() }, own);
    const { status, body } = await exchange(gateway, account.accountId, token);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(await runsChat(body.access_token)).toBe(true);
  });

  it("as oidc-provider makes it runs a chat, and the metadata announces the grant", async () => {
    const server = createServer(authority.local);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const issuer = `https://127.0.0.1:${port}`;
    const { kid, alg, privateKey } = newSigningKey("op");
    const aud = audienceOf(account.accountId);
    const provider = new Provider(issuer, {
      clients: [
        {
          ...{ client_id: "worker", client_secret: "a-secret-of-the-worker", redirect_uris: [] },
          ...{ grant_types: ["client_credentials"], response_types: [] },
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid, alg, use: "sig" }] },
      cookies: { keys: ["a-cookie-key-that-only-tests-know"] },
      ttl: { ClientCredentials: 300 },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({
            ...{ scope: "", audience: aud, accessTokenFormat: "jwt", accessTokenTTL: 300 },
          }),
        },
      },
    });
    server.on("request", provider.callback());
    try {
      const { webhooks } = gateway.context.config;
      Object.assign(webhooks, { ports: [...webhooks.ports, port] });
      await makeRule({ issuer, claims: { sub: "worker" }, single_use: true });
      const { Agent, fetch: fetchWith } = await import("undici");
      const dispatcher = new Agent({ connect: { ca: readFileSync(authority.caFile, "utf8") } });
      const answer = await fetchWith(`${issuer}/token`, {
        ...{ method: "POST", dispatcher },
        headers: { authorization: `Basic ${btoa("worker:a-secret-of-the-worker")}` },
        body: new URLSearchParams({ grant_type: "client_credentials", resource: aud }),
      });
      const answered = (await answer.json()) as { access_token?: string };
      expect(answer.status, JSON.stringify(answered)).toBe(200);
      const { access_token: token = "" } = answered;
      const { status, body } = await exchange(gateway, account.accountId, token);
      expect(status, JSON.stringify(body)).toBe(200);
      expect(await runsChat(body.access_token)).toBe(true);
      await dispatcher.close();
    } finally {
      server.close();
      server.closeAllConnections();
    }
    const metadata = await fetch(`${rootOf(gateway)}/.well-known/oauth-authorization-server`);
    expect(((await metadata.json()) as { grant_types_supported: string[] }).grant_types_supported).toContain(
      "urn:ietf:params:oauth:grant-type:token-exchange",
    );
  });

  it("is taken after its issuer changed keys, and its keys are read once for many tokens", async () => {
    const issuer = issuers.issuer("rotating");
    await makeRule({ issuer });
    const claims = () => ({ iss: issuer, aud: audienceOf(account.accountId), sub: "job", ...times() });
    const take = async () =>
      (await exchange(gateway, account.accountId, signToken(firstKey(), claims()))).status;
    expect(await take()).toBe(200);
    const { reads } = issuers;
    expect([await take(), await take()]).toEqual([200, 200]);
    expect(issuers.reads).toBe(reads);
    const before = issuers.keys;
    issuers.keys = [newSigningKey("second", "ES256")];
    expect(await take()).toBe(200);
    expect(
      (await exchange(gateway, account.accountId, signToken(before[0] as (typeof before)[number], claims())))
        .status,
      "the withdrawn key",
    ).toBe(400);
    issuers.keys = before;
  });
});

describe("a forged token", () => {
  /** What every token of this issuer says that the rule takes. */
  let good: Record<string, unknown>;
  let issuer: string;
  const token = (change: object = {}) => signToken(firstKey(), { ...good, ...change });
  const header = (change: object) => ({ alg: "RS256", kid: "first", typ: "JWT", ...change });
  beforeAll(async () => {
    issuer = issuers.issuer("forged");
    const claims = { sub: "job", owner: "octo", count: "7", "/deep/er": "x*" };
    await makeRule({ issuer, claims });
    await makeRule({ issuer, claims, audience: "only-once", single_use: true });
    // An attacker's account takes every job of the issuer, and its audience is that of the victim.
    const broad = { issuer, claims: { sub: "j*" }, audience: audienceOf(account.accountId) };
    await makeRule({ ...broad, name: "broad" }, other);
    good = {
      ...{ iss: issuer, aud: audienceOf(account.accountId), sub: "job", owner: "octo", count: 7 },
      ...{ deep: { er: "xyz" }, jti: "one", ...times() },
    };
    expect((await exchange(gateway, account.accountId, token())).status).toBe(200);
  });

  const parts = (text: string) => text.split(".");
  const publicPem = () => firstKey().publicKey.export({ format: "pem", type: "spki" }).toString();
  const forgeries: [string, () => string][] = [
    ["without a signature", () => `${parts(token()).slice(0, 2).join(".")}.`],
    [
      "alg none",
      () =>
        `${parts(signToken(firstKey(), good, header({ alg: "none" })))
          .slice(0, 2)
          .join(".")}.`,
    ],
    ["alg none with a signature", () => signToken(firstKey(), good, header({ alg: "none" }))],
    ["alg NoNe", () => signToken(firstKey(), good, header({ alg: "NoNe" }))],
    ["HMAC with the public key", () => signWithSecret(publicPem(), good, header({ alg: "HS256" }))],
    ["HMAC with an empty secret", () => signWithSecret("", good, header({ alg: "HS256" }))],
    ["the alg of another kind of key", () => signToken(firstKey(), good, header({ alg: "ES256" }))],
    ["an alg of the language", () => signToken(firstKey(), good, header({ alg: "constructor" }))],
    ["an alg that is a list", () => signToken(firstKey(), good, header({ alg: ["RS256"] }))],
    ["a key of the forger", () => signToken(newSigningKey("first"), good)],
    ["a key of the forger under a new name", () => signToken(newSigningKey("mine"), good)],
    [
      "a key in its own header",
      () => {
        const own = newSigningKey("first");
        return signToken(own, good, header({ jwk: own.publicKey.export({ format: "jwk" }) }));
      },
    ],
    [
      "the address of the forger's keys",
      () => signToken(newSigningKey("first"), good, header({ jku: `${web.url}/mine` })),
    ],
    ["a kid that is an object", () => signToken(firstKey(), good, header({ kid: { toString: "first" } }))],
    ["the kid of nobody", () => signToken(firstKey(), good, header({ kid: "../../first" }))],
    ["critical extensions", () => signToken(firstKey(), good, header({ crit: ["exp"] }))],
    ["the type of a logout token", () => signToken(firstKey(), good, header({ typ: "logout+jwt" }))],
    [
      "changed claims",
      () =>
        [parts(token())[0], parts(token({ owner: "octo", sub: "job", x: 1 }))[1], parts(token())[2]].join(
          ".",
        ),
    ],
    ["a cut signature", () => token().slice(0, -4)],
    ["a signature with padding", () => `${token()}==`],
    ["four parts", () => `${token()}.x`],
    ["an issuer with a slash", () => token({ iss: `${issuer}/` })],
    ["an issuer in capitals", () => token({ iss: issuer.toUpperCase() })],
    ["an issuer that is a list", () => token({ iss: [issuer] })],
    ["another issuer's name", () => token({ iss: issuers.issuer("nobody") })],
    ["another account's audience", () => token({ aud: audienceOf(other.accountId) })],
    ["an audience that only begins alike", () => token({ aud: `${good.aud}x` })],
    ["a list without the audience", () => token({ aud: [`${good.aud}/`, "x"] })],
    ["a list in the list of audiences", () => token({ aud: [[good.aud]] })],
    ["an audience that is an object", () => token({ aud: { [String(good.aud)]: true } })],
    ["an end that is a text", () => token({ exp: String(times().exp) })],
    ["no end", () => token({ exp: undefined })],
    [
      "an end that is infinite",
      () => signToken(firstKey(), JSON.stringify(good).replace(/"exp":\d+/, '"exp":1e999')),
    ],
    ["its end 61 s ago", () => token({ ...times(-361), exp: times(-61).iat })],
    ["a beginning in 2 minutes", () => token({ nbf: times(120).nbf })],
    ["a beginning that is a text", () => token({ nbf: "0" })],
    ["a birth in 2 minutes", () => token({ iat: times(120).iat })],
    ["no birth", () => token({ iat: undefined })],
    ["no subject", () => token({ sub: "" })],
    ["a subject that is a list", () => token({ sub: ["job"] })],
    ["a subject with invisible characters", () => token({ sub: "job\u202e" })],
    ["another subject", () => token({ sub: "job2" })],
    ["a claim in capitals", () => token({ owner: "Octo" })],
    ["a claim that is an object", () => token({ owner: { octo: true, toString: "octo" } })],
    ["a claim that is a list", () => token({ owner: ["octo"] })],
    ["a claim only inside another", () => token({ owner: undefined, nested: { owner: "octo" } })],
    ["a number that only rounds to the claim", () => token({ count: 7.000001 })],
    ["a path that is a name", () => token({ deep: undefined, "/deep/er": "xyz" })],
    ["a path through the language", () => token({ deep: undefined, __proto__: { er: "xyz" } })],
    ["a claim that does not begin as the rule says", () => token({ deep: { er: "ax" } })],
    [
      "a claim twice",
      () =>
        signToken(
          firstKey(),
          JSON.stringify(good).replace('"owner":"octo"', '"owner":"octo","owner":"evil"'),
        ),
    ],
    ["claims that are a list", () => signToken(firstKey(), JSON.stringify([good]))],
    ["claims that are no JSON", () => signToken(firstKey(), "{")],
    ["600 claims", () => token(Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`c${at}`, at])))],
    [
      "claims nested 600 deep",
      () =>
        signToken(
          firstKey(),
          JSON.stringify(good).replace("}", `,"n":${"[".repeat(600)}${"]".repeat(600)}}`),
        ),
    ],
    ["more than 12,000 characters", () => token({ long: "x".repeat(10_000) })],
    ["another rule's single use, without an id", () => token({ aud: "only-once", jti: undefined })],
  ];

  it.each(forgeries)("with %s is refused", async (_, forge) => {
    const { status, body } = await exchange(gateway, account.accountId, forge());
    expect({ status, error: body.error }).toEqual({ status: 400, error: "invalid_request" });
    expect(body.error_description).not.toMatch(/octo|x\*|only-once/);
  });

  it("is refused at a replay where the rule forbids it, and everywhere at another account", async () => {
    const { status } = await exchange(gateway, account.accountId, token({ aud: "only-once" }));
    expect(status).toBe(200);
    await gateway.context.database.pool.query(
      "update short_keys set token_used_at = now() - interval '1 minute' where token_hash is not null",
    );
    expect((await exchange(gateway, account.accountId, token({ aud: "only-once" }))).status).toBe(400);
    // The attacker's own account gives a key of the attacker's account, and never one of the victim's.
    const { body } = await exchange(gateway, other.accountId, token());
    const seen = await call(gateway, body.access_token ?? "", "GET", "/account");
    expect(seen.body.id).toBe(other.accountId);
    const unknown = await exchange(gateway, "acct_unknown", token());
    const refused = await exchange(gateway, account.accountId, token({ sub: "job2" }));
    expect(unknown.body, "a stranger cannot tell accounts apart").toEqual(refused.body);
  });

  it("is read 60 times a minute from one address", async () => {
    const statuses: number[] = [];
    // Each second gives one back meanwhile.
    while (statuses.at(-1) !== 429 && statuses.length < 120)
      statuses.push((await exchange(gateway, account.accountId, `x.y.${statuses.length}`)).status);
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(400));
    expect(statuses.at(-1)).toBe(429);
  });

  it.each<[string, (issuer: string) => object]>([
    ["the metadata of another issuer", () => ({ issuer: web.url, jwks_uri: `${web.url}/jwks` })],
    ["keys at a private address", (own) => ({ issuer: own, jwks_uri: "https://10.0.0.1/jwks" })],
    ["keys without https", (own) => ({ issuer: own, jwks_uri: "http://127.0.0.1/jwks" })],
    ["no keys", (own) => ({ issuer: own })],
    [
      "too large metadata",
      (own) => ({ issuer: own, jwks_uri: `${web.url}/jwks`, more: "x".repeat(200_000) }),
    ],
    ["too many values", (own) => ({ issuer: own, jwks_uri: `${web.url}/jwks`, more: Array(6_000).fill(0) })],
  ])("whose issuer answers with %s gets no key", async (name, metadata) => {
    const own = issuers.issuer(encodeURIComponent(name));
    issuers.metadata = metadata;
    await makeRule({ issuer: own });
    const claims = { iss: own, aud: audienceOf(account.accountId), sub: "job", ...times() };
    const { status, body } = await exchange(gateway, account.accountId, signToken(firstKey(), claims));
    issuers.metadata = null;
    expect({ status, error: body.error }).toEqual({ status: 503, error: "temporarily_unavailable" });
  });

  it.each<[string, Record<string, string>]>([
    ["another type of token", { subject_token_type: "urn:ietf:params:oauth:token-type:saml2" }],
    ["a refresh token as answer", { requested_token_type: "urn:ietf:params:oauth:token-type:refresh_token" }],
    ["an actor", { actor_token: "x" }],
    ["no account", { audience: "" }],
    ["an account that no database could have", { audience: "acct_\0" }],
    ["no token", { subject_token: "" }],
  ])("request with %s is refused", async (_, more) => {
    const { status, body } = await exchange(gateway, account.accountId, token(), more);
    expect({ status, error: body.error }).toEqual({ status: 400, error: "invalid_request" });
    expect(body.error_description).toMatch(/token|audience/);
  });
});
