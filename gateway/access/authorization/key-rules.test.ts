import { pino } from "pino";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { KeyRule, KeyRuleCreate, ShortKey, TokenTested } from "#contract/key-rules.ts";
import { createCredentials } from "#gateway/access/accounts/credentials.ts";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { sendJson, startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { connect } from "#gateway/platform/database/open.ts";
import { occupyPlaces, operationCounts, takeRates } from "#gateway/platform/http/limits.ts";
import { createLimiter } from "#gateway/platform/limits/create-limiter.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, refusal, startTestGateway } from "#gateway/testing/gateway.ts";
import { startReceiver } from "#gateway/testing/receiver.ts";
import { exchange, serveIssuers, signToken, times } from "#gateway/testing/workload.ts";
import { exchangesOfAccount, exchangesOfRule, shortKeySweep } from "./exchange.ts";

const authority = shared(() => makeAuthority(newFolder("key-rules")));
const web = shared(() => startReceiver(authority.local));
const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());
const admin = shared(() => gateway.addMember(account, "admin"));
const issuers = shared(() => serveIssuers(web));

beforeEach(() => {
  const { webhooks } = gateway.context.config;
  Object.assign(webhooks, { allowCidrs: ["127.0.0.0/8"], ports: [443, web.port], caFile: authority.caFile });
});

let made = 0;
const makeRule = async (input: Partial<KeyRuleCreate> = {}, session = account.session) => {
  made += 1;
  const { status, body } = await call(gateway, session, "POST", "/key_rules", {
    name: `Rule ${made}`,
    issuer: issuers.issuer(`i${made}`),
    claims: { sub: "job" },
    ...input,
  });
  return { status, body: body as unknown as KeyRule };
};
const audience = () => `${gateway.context.config.publicUrl}/${account.accountId}`;
const tokenFor = ({ issuer }: Pick<KeyRule, "issuer">, claims: object = {}) =>
  signToken(issuers.keys[0] as (typeof issuers.keys)[number], {
    ...{ iss: issuer, aud: audience(), sub: "job", jti: crypto.randomUUID() },
    ...times(),
    ...claims,
  });
const chat = (key: string, more: object = {}) =>
  call(gateway, key, "POST", "/chat/completions", {
    model: "svc/chat-1",
    messages: [{ role: "user", content: "hello" }],
    ...more,
  });
const keyOf = async (rule: KeyRule, more: Record<string, string> = {}, claims: object = {}) => {
  const { status, body } = await exchange(gateway, account.accountId, tokenFor(rule, claims), more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.access_token ?? "";
};
const keysOf = async ({ id }: KeyRule) =>
  (await call(gateway, account.session, "GET", `/key_rules/${id}/keys`)).body.data as ShortKey[];

describe("a rule", () => {
  it("is listed with its limits, apart from the keys of the account", async () => {
    const { status, body } = await makeRule({ models: ["svc/chat-1"], requests_per_minute: 30 });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ audience: audience(), scopes: ["inference"], models: ["svc/chat-1"], requests_per_minute: 30 },
      ...{ single_use: false, lifetime_seconds: 3_600, acts_as: null, member: { id: account.userId } },
    });
    const { body: listed } = await call(gateway, account.session, "GET", "/key_rules");
    expect(listed).toMatchObject({
      audience: audience(),
      token_url: expect.stringMatching(/\/oauth\/token$/),
    });
    expect((listed.data as KeyRule[]).map(({ id }) => id)).toContain(body.id);
    const { body: keys } = await call(gateway, account.session, "GET", "/keys");
    expect(JSON.stringify(keys)).not.toContain(body.id);
    expect(await call(gateway, account.session, "DELETE", `/keys/${body.id}`)).toMatchObject(
      refusal(404, "key_not_found"),
    );
  });

  const everybodys = [
    ["GitHub Actions", "https://token.actions.githubusercontent.com", { ref: "refs/heads/main" }],
    ["a part of an owner at GitHub", "https://token.actions.githubusercontent.com", { repository: "octo*" }],
    ["a subject without its owner", "https://token.actions.githubusercontent.com", { sub: "repo:*" }],
    ["GitLab.com", "https://gitlab.com", { ref: "main" }],
    ["Google", "https://accounts.google.com", { email_verified: "true" }],
    ["Entra's common issuer", "https://login.microsoftonline.com/common/v2.0", { tid: "1" }],
  ] as const;
  it.each(everybodys)("is refused for %s without its owner or tenant", async (_, issuer, claims) => {
    expect(await makeRule({ issuer, claims })).toMatchObject(refusal(400, "invalid_parameter"));
  });

  it.each([
    ["https://token.actions.githubusercontent.com", { repository_owner_id: "123", ref: "refs/heads/main" }],
    ["https://token.actions.githubusercontent.com", { repository: "octo/*" }],
    ["https://gitlab.com", { sub: "project_path:group/project:*" }],
    ["https://accounts.google.com", { hd: "example.com" }],
    ["https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0", { sub: "job" }],
  ])("is made for %s with %o", async (issuer, claims) => {
    expect((await makeRule({ issuer, claims })).status).toBe(201);
  });

  it.each<[string, Partial<KeyRuleCreate>, string]>([
    ["http", { issuer: "http://issuer.example" }, "invalid_parameter"],
    ["a private address", { issuer: "https://10.0.0.1" }, "invalid_parameter"],
    ["no claims", { claims: {} }, "invalid_parameter"],
    ["a claim that is only a star", { claims: { sub: "*" } }, "invalid_parameter"],
    ["a star in the middle", { claims: { sub: "a*b" } }, "invalid_parameter"],
    ["a claim of the gateway", { claims: { aud: "x" } }, "invalid_parameter"],
    ["keys for longer than an hour", { lifetime_seconds: 3_601 }, "invalid_parameter"],
    ["a model that does not exist", { models: ["svc/none"] }, "invalid_parameter"],
    ["a key that does not exist", { acts_as: "key_none" }, "invalid_parameter"],
  ])("is refused with %s", async (_, input, code) => {
    expect(await makeRule(input)).toMatchObject(refusal(400, code));
  });

  it("acts as a service key that expires until then, and cannot be made afterwards", async () => {
    const { body: service } = await call(gateway, account.session, "POST", "/keys", {
      ...{ name: "Ending", kind: "service", expires_at: new Date(Date.now() + 600_000).toISOString() },
    });
    const acts_as = String(service.id);
    const { status, body: rule } = await makeRule({ acts_as });
    expect(status).toBe(201);
    expect((await chat(await keyOf(rule))).status).toBe(200);
    const { pool } = gateway.context.database;
    await pool.query("update api_keys set expires_at = now() where id = any ($1)", [[acts_as, rule.id]]);
    expect((await exchange(gateway, account.accountId, tokenFor(rule))).status).toBe(400);
    const { body: ended } = await call(gateway, account.session, "GET", `/key_rules/${rule.id}`);
    expect(ended.revoked_at).not.toBeNull();
    expect(await makeRule({ acts_as })).toMatchObject(refusal(400, "invalid_parameter"));
  });

  it("acts as its maker: nobody else changes it, and another admin can only delete it", async () => {
    const { body: rule } = await makeRule();
    const path = `/key_rules/${rule.id}`;
    expect(await call(gateway, admin.session, "PATCH", path, { claims: { sub: "mine" } })).toMatchObject(
      refusal(403, "user_session_required"),
    );
    expect((await call(gateway, admin.session, "DELETE", path)).status).toBe(200);
    expect(await call(gateway, account.session, "GET", path)).toMatchObject(
      refusal(404, "key_rule_not_found"),
    );
  });

  it("ends with the membership of its maker", async () => {
    const maker = await gateway.addMember(account, "admin");
    const { body: rule } = await makeRule({}, maker.session);
    const key = await keyOf(rule);
    await call(gateway, account.session, "DELETE", `/account/members/${maker.userId}`);
    expect(await chat(key)).toMatchObject(refusal(401, "revoked_api_key"));
    expect((await exchange(gateway, account.accountId, tokenFor(rule))).status).toBe(400);
  });

  it("acts as a service key: within its rights, and ends with it", async () => {
    const { body: service } = await call(gateway, account.session, "POST", "/keys", {
      ...{ name: "CI", kind: "service", scopes: ["inference"], models: ["svc/chat-1"] },
    });
    const acts_as = String(service.id);
    expect(await makeRule({ acts_as })).toMatchObject(refusal(403, "model_not_allowed"));
    const wide = {
      acts_as,
      models: ["svc/chat-1"],
      scopes: ["inference", "keys"] as ("inference" | "keys")[],
    };
    expect(await makeRule(wide)).toMatchObject(refusal(403, "insufficient_scope"));
    const { body: rule } = await makeRule({ acts_as, models: ["svc/chat-1"] });
    expect(rule).toMatchObject({ acts_as: { id: acts_as, name: "CI" }, member: null });
    const key = await keyOf(rule);
    expect((await chat(key)).status).toBe(200);
    await call(gateway, account.session, "DELETE", `/keys/${acts_as}`);
    expect(await chat(key)).toMatchObject(refusal(401, "revoked_api_key"));
    expect((await exchange(gateway, account.accountId, tokenFor(rule))).status).toBe(400);
    expect(
      (await call(gateway, account.session, "GET", `/key_rules/${rule.id}`)).body.revoked_at,
    ).not.toBeNull();
  });

  it("gives its keys no more than its service key has now, when that is narrowed later", async () => {
    const { body: service } = await call(gateway, account.session, "POST", "/keys", {
      ...{ name: "CI", kind: "service", scopes: ["inference"] },
    });
    const { body: rule } = await makeRule({ acts_as: String(service.id) });
    const key = await keyOf(rule);
    expect((await chat(key)).status).toBe(200);
    const narrower = { requests_per_minute: 1, allowed_origins: ["https://app.example.com"] };
    const patched = await call(gateway, account.session, "PATCH", `/keys/${service.id}`, narrower);
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    await expect.poll(() => chat(key)).toMatchObject(refusal(429, "rate_limit_exceeded"));
    expect(await chat(await keyOf(rule))).toMatchObject(refusal(429, "rate_limit_exceeded"));
  });

  it("that acts as a service key is within its budget in units, together with it and its other rules", async () => {
    const { body: service } = await call(gateway, account.session, "POST", "/keys", {
      ...{ name: "CI", kind: "service", scopes: ["inference"] },
    });
    const acts_as = String(service.id);
    const early = await makeRule({ acts_as });
    const budget = { monthly_budget: { character: 17 } };
    expect((await call(gateway, account.session, "PATCH", `/keys/${acts_as}`, budget)).status).toBe(200);
    const late = await makeRule({ acts_as });
    const keys = [String(service.secret), await keyOf(early.body), await keyOf(late.body)];
    const speech = { model: "svc/tts-b-1", input: "hello" };
    const answers = await Promise.all(
      [...keys, ...keys].map((key) => call(gateway, key, "POST", "/audio/speech", speech)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 402, 402, 402]);
    expect(answers.find(({ status }) => status === 402)?.body.error).toMatchObject({
      code: "budget_exceeded",
      message: expect.stringMatching(/^This key has used \d+ of its 17 characters/),
      budget: { holder: { type: "key", id: acts_as } },
    });
    const { body: listed } = await call(gateway, account.session, "GET", "/keys?limit=100");
    expect((listed.data as object[]).find((key) => "id" in key && key.id === acts_as)).toMatchObject({
      used_this_month: { character: 15 },
    });
  });

  const perMinute = { requests_per_minute: 20 };
  it.each([
    ["a service key shares its rate with it and its other rules", "service", perMinute, {}],
    ["a service key has a rate of its own within that", "service", {}, perMinute],
    ["a person has one rate for all its keys", "person", {}, perMinute],
  ] as const)("that acts as %s, over two processes", async (_, as, ofService, ofRule) => {
    const { body: service } = await call(gateway, account.session, "POST", "/keys", {
      ...{ name: "CI", kind: "service", scopes: ["inference"], ...ofService },
    });
    const acts_as = as === "service" ? String(service.id) : null;
    const { body: rule } = await makeRule({ acts_as, ...ofRule });
    const others = "requests_per_minute" in ofService ? [(await makeRule({ acts_as })).body] : [];
    const keys = await Promise.all(
      [rule, ...others].flatMap((each) => Array.from({ length: 10 }, () => keyOf(each))),
    );
    if (others.length > 0) keys.push(String(service.secret));
    const { database, credentials, config, log } = gateway.context;
    const elsewhere = await createLimiter(database, log, "another process");
    const askElsewhere = async (key: string) => {
      const counts = operationCounts(config, await credentials.find(key, "127.0.0.1"));
      return (await takeRates(elsewhere, counts)).hasRoom ? 200 : 429;
    };
    const statuses = await Promise.all(
      [...keys, ...keys].flatMap((key) => [chat(key).then(({ status }) => status), askElsewhere(key)]),
    );
    await elsewhere.close();
    const allowed = statuses.filter((status) => status === 200).length;
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    // A token may come back while they ask.
    expect(allowed).toBeGreaterThanOrEqual(20);
    expect(allowed).toBeLessThanOrEqual(22);
    const refused = await chat(keys[0] ?? "");
    expect(refused).toMatchObject(refusal(429, "rate_limit_exceeded"));
    expect(refused.headers.get("x-ratelimit-limit-requests")).toBe("20");
  });

  it("that acts as a service key has as many places as it, together with it", async () => {
    const { body: service } = await call(gateway, account.session, "POST", "/keys", {
      ...{ name: "CI", kind: "service", scopes: ["inference"], max_concurrency: 2 },
    });
    const acts_as = String(service.id);
    const { body: rule } = await makeRule({ acts_as });
    const { credentials, config, limiter } = gateway.context;
    const occupy = async (key: string) => {
      const actor = await credentials.find(key, "127.0.0.1");
      return occupyPlaces(limiter, actor, operationCounts(config, actor));
    };
    const keys = [String(service.secret), await keyOf(rule), await keyOf(rule)];
    const [own, first, second] = [await occupy(keys[0] ?? ""), await occupy(keys[1] ?? ""), keys[2] ?? ""];
    expect([typeof own, typeof first]).toEqual(["function", "function"]);
    expect(await chat(second)).toMatchObject({
      ...refusal(429, "concurrency_limit_exceeded"),
      body: {
        error: { message: expect.stringContaining("with the service key, all its key rules together") },
      },
    });
    for (const leave of [own, first]) if (typeof leave === "function") leave();
    expect((await chat(second)).status).toBe(200);
  });

  it("that acts as a service key with limits needs none of its own, and takes none from its other keys", async () => {
    const { body: service } = await call(gateway, account.session, "POST", "/keys", {
      ...{ name: "CI", kind: "service", scopes: ["inference", "keys"], requests_per_minute: 20 },
      ...{ max_concurrency: 5, tokens_per_minute: 10_000 },
    });
    const acts_as = String(service.id);
    const scopes: KeyRuleCreate["scopes"] = ["inference", "keys"];
    const { status, body: rule } = await makeRule({ acts_as, scopes });
    expect(status, JSON.stringify(rule)).toBe(201);
    const short = await keyOf(rule);
    const limits = { requests_per_minute: 15, max_concurrency: 5, tokens_per_minute: 10_000 };
    const make = (key: string, asked: object) =>
      call(gateway, key, "POST", "/keys", {
        ...{ name: "made", scopes: ["inference"], expires_at: new Date(Date.now() + 60_000).toISOString() },
        ...asked,
      });
    expect(await make(short, {})).toMatchObject(refusal(403, "insufficient_scope"));
    expect((await make(short, limits)).status).toBe(201);
    // What a workload's key has granted is granted for its service key, too.
    expect(await make(String(service.secret), limits)).toMatchObject(refusal(403, "insufficient_scope"));
    const operator = gateway.context.database.pool;
    await operator.query(
      `update api_keys set operator_limits = '{"requests_per_minute": 1, "reason": "test"}' where id = $1`,
      [acts_as],
    );
    gateway.context.credentials.forget(acts_as);
    expect(await make(short, { ...limits, requests_per_minute: 1 })).toMatchObject({
      ...refusal(403, "insufficient_scope"),
      body: { error: { message: expect.stringContaining("an operator has limited") } },
    });
    expect((await makeRule({ acts_as })).status).toBe(201);
  });

  it("ends its keys within a second in another process when it is deleted", async () => {
    const { body: rule } = await makeRule();
    const key = await keyOf(rule);
    const database = await connect(gateway.context.database.pool.options, pino({ level: "silent" }));
    const { log } = gateway.context;
    const elsewhere = await createCredentials({ ...gateway.context, database, log });
    expect(await elsewhere.find(key, "203.0.113.7")).toBeDefined();
    const from = performance.now();
    await call(gateway, account.session, "DELETE", `/key_rules/${rule.id}`);
    const find = async () => elsewhere.find(key, "203.0.113.7");
    await vi.waitFor(() => expect(find()).rejects.toMatchObject({ code: "revoked_api_key" }), {
      interval: 20,
    });
    expect(performance.now() - from).toBeLessThan(1_000);
    elsewhere.close();
    await database.close();
  });

  it("gives 120 keys a minute, and another rule gives its own", async () => {
    const { body: rule } = await makeRule();
    const { body: other } = await makeRule();
    await keyOf(rule);
    gateway.context.limiter.charge(rule.id, exchangesOfRule, exchangesOfRule.count);
    await expect
      .poll(async () => (await exchange(gateway, account.accountId, tokenFor(rule))).status)
      .toBe(429);
    await keyOf(other);
  });

  it("gives 600 keys a minute together with the others of its account", async () => {
    const busy = await gateway.createAccount();
    const { body: one } = await makeRule({}, busy.session);
    const { body: another } = await makeRule({}, busy.session);
    const ask = (rule: KeyRule) => exchange(gateway, busy.accountId, tokenFor(rule, { aud: rule.audience }));
    expect((await ask(one)).status).toBe(200);
    for (const rule of [one, another])
      await expect
        .poll(() => {
          gateway.context.limiter.charge(busy.accountId, exchangesOfAccount, exchangesOfAccount.count);
          return ask(rule);
        })
        .toMatchObject({
          status: 429,
          body: { error_description: expect.stringContaining("600 keys a minute") },
        });
    expect((await exchange(gateway, account.accountId, tokenFor((await makeRule()).body))).status).toBe(200);
  });

  it("gives keys only where its service key may be used, and these work only there", async () => {
    const { body: service } = await call(gateway, account.session, "POST", "/keys", {
      ...{ name: "Office", kind: "service", scopes: ["inference"], networks: ["127.0.0.0/8"] },
    });
    const { body: rule } = await makeRule({ acts_as: String(service.id) });
    const key = await keyOf(rule);
    expect((await chat(key)).status).toBe(200);
    const networks = ["203.0.113.0/24"];
    await call(gateway, account.session, "PATCH", `/keys/${service.id}`, { networks });
    expect(await chat(key)).toMatchObject(refusal(403, "network_not_allowed"));
    expect(await exchange(gateway, account.accountId, tokenFor(rule))).toMatchObject({
      status: 403,
      body: { error: "access_denied" },
    });
  });
});

describe("a rule that acts as a service key with a budget in money", () => {
  const upstream = shared(() =>
    startUpstream((_, response) =>
      sendJson(response, {
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi" } }],
        usage: { prompt_tokens: 60, completion_tokens: 10, total_tokens: 70 },
      }),
    ),
  );
  const mapped = shared(() =>
    startMappedGateway({
      providers: { acme: providerAt(upstream) },
      routes: [{ models: ["svc/chat-1"], provider: "acme", upstream_model: "m" }],
    }),
  );
  const owner = (method: string, where: string, body?: object) =>
    call(mapped.gateway, mapped.account.session, method, where, body);

  /** The secrets of a new service key and of short keys of two rules, one older than the limits. */
  const limitedBy = async (limits: object) => {
    const { body: service } = await owner("POST", "/keys", { name: "CI", kind: "service" });
    const makeMapped = async (name: string): Promise<KeyRule> => {
      const rule = { name, issuer: issuers.issuer(`${name}-${service.id}`), claims: { sub: "job" } };
      const { body } = await owner("POST", "/key_rules", { ...rule, acts_as: service.id });
      return body as unknown as KeyRule;
    };
    const early = await makeMapped("early");
    expect((await owner("PATCH", `/keys/${service.id}`, limits)).status).toBe(200);
    const secrets = [early, await makeMapped("late")].map(async ({ issuer, audience: aud }) => {
      const token = signToken(issuers.keys[0] as (typeof issuers.keys)[number], {
        ...{ iss: issuer, aud, sub: "job", jti: crypto.randomUUID() },
        ...times(),
      });
      return (await exchange(mapped.gateway, mapped.account.accountId, token)).body.access_token ?? "";
    });
    return { id: String(service.id), secrets: [String(service.secret), ...(await Promise.all(secrets))] };
  };
  const askTogether = async (secrets: readonly string[], more: object = {}) => {
    const body = {
      model: "svc/chat-1",
      max_tokens: 10,
      messages: [{ role: "user", content: "Hi" }],
      ...more,
    };
    const asked = Array.from({ length: 24 }, (_, at) => secrets[at % secrets.length] ?? "");
    const answers = await Promise.all(
      asked.map((key) => call(mapped.gateway, key, "POST", "/chat/completions", body)),
    );
    const refused = answers.filter(({ status }) => status === 402);
    const count = answers.filter(({ status }) => status === 200).length;
    expect(count + refused.length, JSON.stringify(answers[0]?.body)).toBe(asked.length);
    return { count, error: refused[0]?.body.error };
  };

  it("stays within it, together with the key and its other rules, and within its cap for each task", async () => {
    const { webhooks } = mapped.gateway.context.config;
    Object.assign(webhooks, {
      allowCidrs: ["127.0.0.0/8"],
      ports: [443, web.port],
      caFile: authority.caFile,
    });
    // With these prices each answer costs 0.07.
    const components = ["input_token", "output_token"].map((kind) => ({ kind, per: 1_000, rate: "1" }));
    const price = { model: "svc/chat-1", api_type: "chat-completions", currency: "USD", components };
    expect((await owner("POST", "/operator/prices", price)).status).toBe(201);
    const { id, secrets } = await limitedBy({ budgets: [{ amount: "0.8", period: "day", hard: true }] });
    const { count, error } = await askTogether(secrets);
    expect(count).toBeGreaterThan(2);
    expect(count).toBeLessThanOrEqual(11);
    expect(error).toMatchObject({ code: "budget_exceeded", budget: { holder: { type: "key", id } } });
    const spent = String(Math.round(count * 7) / 100);
    const view = async () => {
      const { body } = await owner("GET", "/keys?limit=100");
      return (body.data as { id: string }[]).find((key) => key.id === id);
    };
    await expect.poll(view).toMatchObject({ budgets: [{ spent, reserved: "0" }] });

    const capped = await limitedBy({ task_budget: { metadata_key: "build", max_runs: 3 } });
    for (const build of ["1", "2"])
      expect(await askTogether(capped.secrets, { metadata: { build } })).toMatchObject({ count: 3 });
  });
});

describe("a short key", () => {
  it("runs a chat within its rule and nothing beyond, and usage, log and audit name the workload", async () => {
    const { body: rule } = await makeRule({ models: ["svc/chat-1"], lifetime_seconds: 600 });
    const token = tokenFor(rule);
    const { body } = await exchange(gateway, account.accountId, token);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^svc_short_\w{49}$/),
      issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
      ...{ token_type: "Bearer", expires_in: 600, scope: "inference" },
    });
    const key = body.access_token ?? "";
    expect((await chat(key)).status).toBe(200);
    expect(await chat(key, { model: "svc/chat-2" })).toMatchObject(refusal(403, "model_not_allowed"));
    expect(await call(gateway, key, "GET", "/predictions")).toMatchObject(refusal(403, "insufficient_scope"));
    expect(await call(gateway, key, "POST", "/keys", { name: "longer" })).toMatchObject(
      refusal(403, "insufficient_scope"),
    );
    expect(await call(gateway, key, "POST", "/account/sessions/key")).toMatchObject(
      refusal(403, "insufficient_scope"),
    );
    const { body: log } = await call(gateway, account.session, "GET", `/audit_logs?key_id=${rule.id}`);
    const issued = (log.data as Record<string, unknown>[])[0];
    expect(issued).toMatchObject({
      action: "short_key.issued",
      actor: { id: rule.id, name: `${rule.name} (job)` },
      detail: { subject: "job", issuer: rule.issuer },
    });
    await gateway.context.meter.flush();
    await expect
      .poll(async () => {
        const filter = `metadata=${encodeURIComponent("workload=job")}&key_id=${rule.id}`;
        return (await call(gateway, account.session, "GET", `/requests?${filter}`)).body.data;
      })
      .toHaveLength(2);
    expect(await keysOf(rule)).toMatchObject([{ subject: "job", ended_at: null, ip: "127.0.0.1" }]);
    const everything = gateway.logLines.join("\n");
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(token.split(".")[2]);
  });

  it("names its workload in what a worker runs later, whatever the workload says", async () => {
    const { body: rule } = await makeRule();
    const key = await keyOf(rule);
    const metadata = { workload: "another", step: "1" };
    const row = { messages: [{ role: "user", content: "hello" }], metadata };
    const { body: batch } = await call(gateway, key, "POST", "/batches", {
      model: "svc/chat-1",
      rows: [row],
    });
    const { body: rows } = await call(gateway, account.session, "GET", `/batches/${batch.id}/rows`);
    expect(rows.data).toMatchObject([{ input: { metadata: { workload: "job", step: "1" } } }]);
    const background = { model: "svc/chat-1", input: "hello", background: true, metadata };
    const { body: response } = await call(gateway, key, "POST", "/responses", background);
    expect(response.metadata).toEqual({ workload: "job", step: "1" });
  });

  it("has the scopes that the workload asks for, if the rule gives them", async () => {
    const { body: rule } = await makeRule({ scopes: ["inference", "predictions"] });
    const key = await keyOf(rule, { scope: "predictions" });
    expect((await call(gateway, key, "GET", "/predictions")).status).toBe(200);
    expect(await chat(key)).toMatchObject(refusal(403, "insufficient_scope"));
    const beyond = await exchange(gateway, account.accountId, tokenFor(rule), { scope: "keys" });
    expect(beyond).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
  });

  it("ends with its rule, with a change of its claims, at its end and at its workload's wish", async () => {
    const { body: rule } = await makeRule();
    const path = `/key_rules/${rule.id}`;
    const patch = (input: object) => call(gateway, account.session, "PATCH", path, input);
    const [first, second, third] = [await keyOf(rule), await keyOf(rule), await keyOf(rule)];
    const [newest] = await keysOf(rule);
    expect((await call(gateway, account.session, "DELETE", `${path}/keys/${newest?.id}`)).status).toBe(200);
    expect(await chat(third)).toMatchObject(refusal(401, "revoked_api_key"));
    await fetch(`${gateway.context.config.publicUrl}/oauth/revoke`, {
      method: "POST",
      body: new URLSearchParams({ token: second }),
    });
    expect(await chat(second)).toMatchObject(refusal(401, "revoked_api_key"));
    expect((await chat(first)).status).toBe(200);
    expect((await patch({ models: ["svc/chat-2"] })).status, "a rule's models are fixed, as a key's").toBe(
      400,
    );
    expect((await patch({ name: "Renamed", tokens_per_minute: 1_000_000 })).body).toMatchObject({
      ...{ name: "Renamed", tokens_per_minute: 1_000_000, live_keys: 1 },
    });
    expect((await chat(first)).status).toBe(200);
    await patch({ claims: { sub: "another" } });
    expect(await chat(first)).toMatchObject(refusal(401, "revoked_api_key"));
    await patch({ claims: { sub: "job" } });
    const fourth = await keyOf(rule);
    const { rows } = await gateway.context.database.pool.query(
      "select count(*)::int as count from short_keys where key_id = $1",
      [rule.id],
    );
    expect(rows[0].count).toBe(4);
    await call(gateway, account.session, "DELETE", path);
    expect(await chat(fourth)).toMatchObject(refusal(401, "revoked_api_key"));
  });

  it("is removed a day after its end", async () => {
    const { body: rule } = await makeRule();
    await keyOf(rule);
    await keyOf(rule);
    const { pool } = gateway.context.database;
    const age = (interval: string) =>
      pool.query(
        `update short_keys set expires_at = now() - $2::interval where id = (select max(id) from short_keys where key_id = $1)`,
        [rule.id, interval],
      );
    await age("23 hours");
    await shortKeySweep.run(gateway.context);
    expect(await keysOf(rule)).toHaveLength(2);
    await age("25 hours");
    await shortKeySweep.run(gateway.context);
    expect(await keysOf(rule)).toHaveLength(1);
  });

  it("is given once for a token if the rule says so; a repeat within 30 s ends the first", async () => {
    const { body: rule } = await makeRule({ single_use: true });
    const token = tokenFor(rule);
    const again = () => exchange(gateway, account.accountId, token);
    const first = (await again()).body.access_token ?? "";
    expect((await chat(first)).status).toBe(200);
    const repeats = await Promise.all([again(), again()]);
    expect(await chat(first)).toMatchObject(refusal(401, "revoked_api_key"));
    expect(repeats.map(({ status }) => status)).toEqual([200, 200]);
    expect((await keysOf(rule)).filter(({ ended_at }) => ended_at === null)).toHaveLength(1);
    await gateway.context.database.pool.query(
      "update short_keys set token_used_at = now() - interval '31 seconds' where key_id = $1",
      [rule.id],
    );
    expect(await again()).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    const anonymous = tokenFor(rule, { jti: undefined });
    expect((await exchange(gateway, account.accountId, anonymous)).status).toBe(400);
    const long = tokenFor(rule, times(0, 48 * 3_600));
    expect((await exchange(gateway, account.accountId, long)).status).toBe(400);
  });

  it("comes from the narrowest rule that takes the token", async () => {
    const issuer = issuers.issuer("several");
    const { body: broad } = await makeRule({
      issuer,
      claims: { sub: "jo*" },
      scopes: ["inference", "usage"],
    });
    const { body: narrow } = await makeRule({ issuer, claims: { sub: "job", ref: "main" } });
    await makeRule({ issuer, claims: { sub: "jo*", ref: "m*" }, scopes: ["inference", "keys"] });
    const { body } = await exchange(gateway, account.accountId, tokenFor(broad, { ref: "main" }));
    expect(body.scope).toBe("inference");
    expect(await keysOf(narrow)).toHaveLength(1);
  });
});

describe("the test of a token", () => {
  const test = async (token: string) =>
    (await call(gateway, account.session, "POST", "/key_rules/test", { token }))
      .body as unknown as TokenTested;

  it("says which rule takes it, and why the others do not", async () => {
    const { body: rule } = await makeRule({ claims: { sub: "job", "/kubernetes.io/namespace": "ci" } });
    const before = await keysOf(rule);
    const good = await test(tokenFor(rule, { "kubernetes.io": { namespace: "ci" } }));
    expect(good).toMatchObject({ taken_by: rule.id, issuer: rule.issuer, subject: "job", malformed: null });
    expect(good.rules.find(({ id }) => id !== rule.id)?.faults[0]?.check).toBe("issuer");
    const bad = await test(tokenFor(rule, { aud: "elsewhere", sub: "other", ...times(-600) }));
    const faults = bad.rules.find(({ id }) => id === rule.id)?.faults ?? [];
    expect(bad.taken_by).toBeNull();
    expect(faults.map(({ check }) => check)).toEqual(["audience", "claims", "claims", "time"]);
    expect(JSON.stringify(faults)).toContain("elsewhere");
    expect(await keysOf(rule)).toEqual(before);
    expect((await test("no.token")).malformed).toContain("not a signed JWT");
  });
});
