import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { OidcConfig } from "#gateway/platform/core/oidc-config.ts";
import { connect } from "#gateway/platform/database/open.ts";
import { shared } from "#gateway/testing/fixture.ts";
import {
  call,
  refusal,
  sender,
  startTestGateway,
  type TestAccount,
  type TestGateway,
  testPassword,
} from "#gateway/testing/gateway.ts";
import {
  signInAt,
  startIdentityProvider,
  type TestPerson,
  testClient,
} from "#gateway/testing/identity-provider.ts";

import { createCredentials } from "../credentials.ts";

let gateway: TestGateway;
let account: TestAccount;
let settings: OidcConfig;
const initial = {
  clientId: testClient.id,
  clientSecret: testClient.secret,
  name: "Company login",
  scopes: ["openid", "profile", "email"],
  allowedDomains: [],
  roleClaim: "groups",
  roleMap: [
    { value: "admins", accountId: null, role: "admin" as const },
    { value: "readers", accountId: null, role: "viewer" as const },
  ],
  defaultRole: "member" as const,
  signIn: true,
  createMembers: true,
  managesRoles: false,
};

const provider = shared(() =>
  startIdentityProvider(() => ({
    redirectUri: `${gateway.context.config.consoleUrl}/sign-in/callback`,
    logoutUri: `${gateway.url}/account/oidc/logout`,
  })),
);
beforeAll(async () => {
  settings = { ...initial, issuer: provider.issuer };
  gateway = await startTestGateway({ role: "api", oidc: settings });
  account = await gateway.createAccount();
});
beforeEach(() => {
  Object.assign(settings, initial);
  provider.changeIdToken = null;
});
afterAll(async () => {
  await gateway.close();
});

const send = sender(() => gateway);

let made = 0;
/** A new person at the provider, who signs in next. */
function newPerson(claims: TestPerson = {}): { sub: string; email: string } {
  made += 1;
  const sub = `sub-${made}`;
  const email = `person-${made}@example.com`;
  provider.people.set(sub, { email, email_verified: true, name: `Person ${made}`, ...claims });
  provider.current = sub;
  return { sub, email };
}
async function start(bearer: string | null = null, input: object = {}) {
  const { body } = await send(bearer, "POST", "/account/oidc/start", input);
  return { url: String(body.url), state: String(body.state) };
}
const atProvider = async (url: string) => Object.fromEntries(await signInAt(provider.issuer, url));
const finish = (answer: object, bearer: string | null = null) =>
  send(bearer, "POST", "/account/oidc/callback", answer);
async function signIn(bearer: string | null = null, input: object = {}) {
  const { url } = await start(bearer, input);
  return finish(await atProvider(url), bearer);
}
interface Opened {
  token: string;
  account: { id: string; role: string; user: { id: string } };
}
/** The session of a successful sign-in. */
async function session(input: object = {}): Promise<Opened> {
  const { status, body } = await signIn(null, input);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.session as Opened;
}
const isOpen = async (token: string) => (await send(token, "GET", "/account/profile")).status === 200;
async function roleOf(userId: string): Promise<string | undefined> {
  const { rows } = await gateway.context.database.pool.query("select role from members where user_id = $1", [
    userId,
  ]);
  return rows[0]?.role;
}

test("a new person becomes a member after PKCE, state and nonce were checked, and is recognised by issuer and subject", async () => {
  expect((await send(null, "GET", "/account/oidc")).body).toMatchObject({ name: "Company login" });
  const { sub } = newPerson({ groups: ["readers", "admins", "unknown"] });
  const { url, state } = await start();
  const asked = new URL(url).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    code_challenge_method: "S256",
    state,
    client_id: testClient.id,
  });
  expect(asked.get("nonce")).not.toBe("");
  const answer = await atProvider(url);
  const { body } = await finish(answer);
  const first = body.session as Opened;
  // With several groups the highest role applies.
  expect(first.account).toMatchObject({ id: account.accountId, role: "admin" });
  expect(provider.tokenRequests.at(-1)?.get("code_verifier")?.length).toBeGreaterThan(40);
  expect(await finish(answer)).toMatchObject(refusal(410, "sign_in_expired"));
  const listed = await send(first.token, "GET", "/account/sessions");
  expect(listed.body.data).toMatchObject([{ method: "oidc" }]);

  provider.people.set(sub, { email: "renamed@example.com", email_verified: true });
  expect((await session()).account.user.id).toBe(first.account.user.id);
});

test("accepts only a token that the provider signed for this client and this sign-in, and that has not expired", async () => {
  newPerson();
  const now = Math.floor(Date.now() / 1000);
  const changes: Record<string, Record<string, unknown>> = {
    issuer: { iss: "https://other.example.com" },
    audience: { aud: "another-client" },
    "made for another client": { azp: "another-client" },
    "made for another of two": { aud: [testClient.id, "another-client"], azp: "another-client" },
    nobody: { sub: "" },
    "nobody, in spaces": { sub: "  " },
    expired: { exp: now - 120 },
    early: { iat: now + 600, exp: now + 900 },
    replayed: { nonce: "the-nonce-of-another-sign-in" },
  };
  for (const [name, change] of Object.entries(changes)) {
    provider.changeIdToken = (payload) => ({ ...payload, ...change });
    expect(await signIn(), name).toMatchObject(refusal(401, "provider_sign_in_failed"));
  }
  provider.changeIdToken = (payload) => ({ ...payload, exp: now - 30 });
  expect((await signIn()).status, "a minute's skew is allowed").toBe(200);
  provider.changeIdToken = null;

  const { url, state } = await start();
  const answer = await atProvider(url);
  const elsewhere = { ...answer, iss: "https://other.example.com" };
  expect(await finish(elsewhere)).toMatchObject(refusal(401, "provider_sign_in_failed"));
  expect(await finish({ ...answer, state: "made-up" })).toMatchObject(refusal(410, "sign_in_expired"));
  expect(await finish({ state: (await start()).state, error: "access_denied" })).toMatchObject(
    refusal(401, "provider_sign_in_failed"),
  );
  const late = await start();
  await gateway.context.database.pool.query("update provider_sign_ins set expires_at = now()");
  expect(await finish(await atProvider(late.url))).toMatchObject(refusal(410, "sign_in_expired"));
  const { rows } = await gateway.context.database.pool.query("select * from provider_sign_ins");
  expect(JSON.stringify(rows)).not.toContain(state);
});

test("a code from another sign-in is refused, because verifier and nonce differ", async () => {
  newPerson();
  const mine = await start();
  const stolen = await atProvider((await start()).url);
  expect(await finish({ ...stolen, state: mine.state })).toMatchObject(
    refusal(401, "provider_sign_in_failed"),
  );
});

test("new keys of the provider are found, and a foreign signature is rejected", async () => {
  newPerson();
  await session();
  const stale = provider.signLogoutToken(logoutClaims({ sub: "x" }));
  provider.rotateKeys();
  await session();
  expect(await logOut(stale)).toMatchObject(refusal(400, "logout_token_invalid"));
});

test("an e-mail address links nobody; a signed-in person and an invitation do", async () => {
  const known = await gateway.createAccount();
  const { sub } = newPerson({ email: known.email });
  expect(await signIn()).toMatchObject(refusal(409, "email_taken"));

  const link = { purpose: "link" };
  expect(await send(null, "POST", "/account/oidc/start", link)).toMatchObject(
    refusal(403, "user_session_required"),
  );
  const begun = await start(known.session, link);
  const answer = await atProvider(begun.url);
  expect(await finish(answer, account.session)).toMatchObject(refusal(401, "provider_sign_in_failed"));
  expect((await signIn(known.session, link)).body).toMatchObject({ purpose: "link", session: null });
  expect((await session()).account).toMatchObject({ id: known.accountId, user: { id: known.userId } });
  expect((await send(known.session, "GET", "/account/profile")).body).toMatchObject({ email_verified: true });
  expect(await signIn(account.session, link)).toMatchObject(refusal(409, "identity_taken"));
  const { body } = await send(known.session, "GET", "/account/identities");
  const [identity] = body.data as { id: string }[];
  expect((await send(known.session, "DELETE", `/account/identities/${identity?.id}`)).status).toBe(200);
  expect(await signIn(), sub).toMatchObject(refusal(409, "email_taken"));
});

test("an invitation needs the address that the provider has verified", async () => {
  settings.createMembers = false;
  const invite = async (email: string) => {
    const made = await send(account.session, "POST", "/account/invitations", { email, role: "viewer" });
    return { invitation_token: String(made.body.token) };
  };
  const { sub, email } = newPerson();
  expect(await signIn()).toMatchObject(refusal(403, "provider_sign_in_refused"));
  const other = await invite("somebody-else@example.com");
  expect(await signIn(null, other)).toMatchObject(refusal(403, "invitation_not_for_you"));
  const invitation = await invite(email);
  provider.people.set(sub, { email, email_verified: false });
  expect(await signIn(null, invitation)).toMatchObject(refusal(403, "invitation_not_for_you"));
  provider.people.set(sub, { email, email_verified: true });
  const joined = await session(invitation);
  expect(joined.account).toMatchObject({ id: account.accountId, role: "viewer" });
  expect(await send(null, "POST", "/account/oidc/start", invitation)).toMatchObject(
    refusal(410, "invitation_used"),
  );
  // There is no password or other way to sign in, so the last identity stays.
  const { body } = await send(joined.token, "GET", "/account/identities");
  const [identity] = body.data as { id: string }[];
  expect(await send(joined.token, "DELETE", `/account/identities/${identity?.id}`)).toMatchObject(
    refusal(409, "only_way_to_sign_in"),
  );
});

test("only verified addresses in the allowed domains may sign in", async () => {
  settings.allowedDomains = ["example.com"];
  newPerson();
  await session();
  newPerson({ email: "a@elsewhere.com" });
  expect(await signIn()).toMatchObject(refusal(403, "provider_sign_in_refused"));
  newPerson({ email_verified: false });
  expect(await signIn()).toMatchObject(refusal(403, "provider_sign_in_refused"));
});

test("the provider decides roles only if configured to, and a missing or overflowing claim demotes nobody", async () => {
  const { sub } = newPerson({ groups: ["admins"] });
  const id = (await session()).account.user.id;
  const { groups: _, ...base } = provider.people.get(sub) ?? {};
  const sends = async (claims: TestPerson) => {
    provider.people.set(sub, { ...base, ...claims });
    provider.current = sub;
    await session();
    return roleOf(id);
  };
  expect(await sends({ groups: ["readers"] })).toBe("admin");
  settings.managesRoles = true;
  expect(await sends({})).toBe("admin");
  expect(await sends({ _claim_names: { groups: "src1" }, _claim_sources: { src1: {} } })).toBe("admin");
  expect(await sends({ groups: ["readers"] })).toBe("viewer");
  expect(await sends({ groups: ["readers", "admins"] })).toBe("admin");
  expect(await sends({ groups: [] })).toBe("member");

  provider.people.set("owner", { email: account.email, email_verified: true, groups: ["readers"] });
  provider.current = "owner";
  await signIn(account.session, { purpose: "link" });
  await session();
  expect(await roleOf(account.userId), "the last owner stays").toBe("owner");
});

test.each([
  ["suspended", `update accounts set suspension = '{"reason":"Unpaid"}' where id = $1`],
  [
    "about to be deleted",
    "insert into account_deletions (account_id, due_at) values ($1, now() + interval '1 day')",
  ],
])("an account that is %s keeps nobody out of the other accounts", async (_, change) => {
  const closed = await gateway.createAccount();
  await gateway.context.database.pool.query(change, [closed.accountId]);
  settings.managesRoles = true;
  settings.roleMap = [
    ...initial.roleMap,
    { value: "closed", accountId: closed.accountId, role: "admin" as const },
  ];
  const { sub } = newPerson({ groups: ["readers", "closed"] });
  // At the first sign-in, and at a later one that follows the roles.
  for (const _ of ["first", "later"]) {
    provider.current = sub;
    expect((await session()).account).toMatchObject({ id: account.accountId, role: "viewer" });
  }
});

test("an operator can see the provider's claims before sign-in with the provider is switched on", async () => {
  settings.signIn = false;
  newPerson({ groups: ["admins", "typo"] });
  expect((await send(null, "GET", "/account/oidc")).body).toMatchObject({ name: null });
  expect(await send(null, "POST", "/account/oidc/start")).toMatchObject(
    refusal(404, "provider_not_configured"),
  );
  const member = await gateway.addMember(account, "admin");
  const check = { purpose: "check" };
  expect(await send(member.session, "POST", "/account/oidc/start", check)).toMatchObject(
    refusal(403, "operator_required"),
  );
  expect((await signIn(account.session, check)).body).toMatchObject({ session: null });
  expect((await send(account.session, "GET", "/account/oidc/claims")).body.report).toMatchObject({
    claims: { iss: provider.issuer, groups: ["admins", "typo"] },
    email_verified: true,
    refusal: null,
    refusal_code: null,
    role_claim: "present",
    unmapped_values: ["typo"],
    roles: [{ account_id: account.accountId, role: "admin", by: "admins" }],
  });
  expect(await send(member.session, "GET", "/account/oidc/claims")).toMatchObject(
    refusal(403, "operator_required"),
  );
});

test("an account can require sign-in with the provider once an owner has used it", async () => {
  const own = await gateway.createAccount();
  const rule = (bearer: string, sign_in: string) => send(bearer, "PATCH", "/account", { sign_in });
  expect(await rule(own.session, "provider")).toMatchObject(refusal(409, "provider_not_tried"));
  newPerson({ email: own.email });
  await signIn(own.session, { purpose: "link" });
  expect(await rule(own.session, "provider")).toMatchObject(refusal(409, "provider_not_tried"));
  const { token } = await session();
  expect((await rule(own.session, "provider")).body).toMatchObject({ sign_in: "provider" });

  expect((await send(token, "GET", "/account")).status).toBe(200);
  await expect.poll(() => isOpen(own.session)).toBe(false);
  const password = { email: own.email, password: testPassword };
  expect(await send(null, "POST", "/account/sessions", password)).toMatchObject(
    refusal(403, "provider_sign_in_required"),
  );
  // The person's other accounts remain accessible with a password.
  const joined = await gateway.addMember(account, "viewer", { ...own, email: own.email });
  const inAccount = (id: string) =>
    call(gateway, joined.session, "GET", "/account", undefined, { "x-svc-account": id });
  expect((await inAccount(account.accountId)).status).toBe(200);
  expect(await inAccount(own.accountId)).toMatchObject(refusal(403, "provider_sign_in_required"));

  const { allowPasswords } = await import("#gateway/edges/cli/accounts.ts");
  expect(await allowPasswords.prepare({})(gateway.context)).toContain(own.accountId);
  await expect.poll(async () => (await inAccount(own.accountId)).status).toBe(200);
});

function logoutClaims(rest: Record<string, unknown>): Record<string, unknown> {
  const iat = Math.floor(Date.now() / 1000);
  made += 1;
  return {
    iss: provider.issuer,
    aud: testClient.id,
    iat,
    exp: iat + 60,
    jti: `logout-${made}`,
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    ...rest,
  };
}
async function logOut(token: string) {
  const response = await fetch(`${gateway.url}/account/oidc/logout`, {
    method: "POST",
    body: new URLSearchParams({ logout_token: token }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("a required second factor is left to the provider for sign-ins through it", async () => {
  const owner = await gateway.createAccount();
  newPerson();
  const opened = await session();
  await gateway.context.database.pool.query(
    "update accounts set second_factor_from = now() - interval '1 day'",
  );
  expect((await send(opened.token, "GET", "/predictions")).status).toBe(200);
  expect((await send(opened.token, "GET", "/account")).body).toMatchObject({
    user: { has_second_factor: false, needs_second_factor: false },
  });
  expect(await send(owner.session, "GET", "/predictions")).toMatchObject(
    refusal(401, "second_factor_required"),
  );
  await gateway.context.database.pool.query("update accounts set second_factor_from = null");
});

/** The credentials cache of another process on the same database. */
async function otherProcess() {
  const silent = pino({ level: "silent" });
  const database = await connect(gateway.context.database.pool.options, silent);
  const credentials = await createCredentials({ ...gateway.context, database, log: silent });
  return {
    find: (bearer: string) => credentials.find(bearer, "203.0.113.9"),
    async close() {
      credentials.close();
      await database.close();
    },
  };
}

test("the provider's logout ends its sessions, and only those, at once", async () => {
  const { sub } = newPerson();
  const first = await session();
  const providerSession = provider.lastSession();
  const second = await session();
  expect(provider.lastSession()).not.toBe(providerSession);
  const elsewhere = await otherProcess();
  await elsewhere.find(first.token);
  await provider.logOut(sub, providerSession);
  expect([await isOpen(first.token), await isOpen(second.token)]).toEqual([false, true]);
  // Without a notification this would take five seconds.
  await vi.waitFor(
    () => expect(elsewhere.find(first.token)).rejects.toMatchObject({ code: "revoked_api_key" }),
    { timeout: 3_000, interval: 20 },
  );
  await elsewhere.close();

  const claims = logoutClaims({ sub });
  const bad: Record<string, Record<string, unknown>> = {
    issuer: { iss: "https://other.example.com" },
    audience: { aud: "another" },
    nonce: { nonce: "n" },
    event: { events: {} },
    nobody: { sub: undefined },
    expired: { exp: Number(claims.iat) - 120 },
    old: { iat: Number(claims.iat) - 3_600 },
    early: { iat: Number(claims.iat) + 600 },
    id: { jti: undefined },
  };
  for (const [name, change] of Object.entries(bad))
    expect(await logOut(provider.signLogoutToken({ ...claims, ...change })), name).toMatchObject(
      refusal(400, "logout_token_invalid"),
    );
  const signed = provider.signLogoutToken(claims);
  expect(await logOut(`${signed.slice(0, -8)}AAAAAAAA`)).toMatchObject(refusal(400, "logout_token_invalid"));
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${signed.split(".")[1]}.`;
  expect(await logOut(unsigned)).toMatchObject(refusal(400, "logout_token_invalid"));
  expect(await isOpen(second.token)).toBe(true);
  expect(await logOut(signed)).toMatchObject({ status: 200, body: { ended: 1 } });
  expect(await isOpen(second.token)).toBe(false);
  const third = await session();
  expect(await logOut(signed)).toMatchObject(refusal(400, "logout_token_invalid"));
  expect(await isOpen(third.token)).toBe(true);
});

test("no code, token or secret is logged or audited", async () => {
  newPerson();
  const { url } = await start();
  const answer = await atProvider(url);
  const { token } = (await finish(answer)).body.session as Opened;
  const { rows } = await gateway.context.database.pool.query("select * from audit_logs");
  const written = gateway.logLines.join("") + JSON.stringify(rows);
  for (const secret of [answer.code, answer.state, token, testClient.secret, "eyJ"])
    expect(written).not.toContain(secret);
});
