import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clock } from "#gateway/platform/core/clock.ts";
import { createSealer } from "#gateway/platform/core/console-secret.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, refusal, startTestGateway, testPassword } from "#gateway/testing/gateway.ts";
import { TestPasskey } from "#gateway/testing/passkey.ts";
import { clearSecondFactor } from "./changes.ts";
import { totpCode, totpSealSweep } from "./totp.ts";

type Answer = Awaited<ReturnType<typeof call>>;
type Asked = { ticket: string; ways: string[] };
const stepMs = 30_000;

const asked = ({ body }: Answer) => (body.error as { second_factor: Asked }).second_factor;
const codesOf = ({ body }: Answer) => body.recovery_codes as string[];

describe("second factor", { timeout: 60_000 }, () => {
  const gateway = shared(() => startTestGateway({ consoleUrl: "https://console.example.com" }));
  const account = shared(() => gateway.createAccount());

  const send = (bearer: string | null, method: string, path: string, body?: unknown) =>
    call(gateway, bearer, method, path, body);
  const signIn = (email: string) =>
    send(null, "POST", "/account/sessions", { email, password: testPassword });
  const finish = (ticket: string, more: object) =>
    send(null, "POST", "/account/sessions/second_factor", { ticket, ...more });
  const stateOf = async (bearer: string) => (await send(bearer, "GET", "/account/second_factor")).body;

  // A code is valid for half a minute; without a fixed clock a slow test would send the next code.
  beforeEach(() => {
    const nowMs = clock.now();
    vi.spyOn(clock, "now").mockImplementation(() => nowMs);
  });
  afterEach(() => vi.restoreAllMocks());

  /** An unused code of the app: each belongs to a later half minute. */
  const nextCode = (secret: string, steps: number) => totpCode(secret, clock.now() + steps * stepMs);

  async function setUpTotp(bearer: string, steps = -1) {
    const { body } = await send(bearer, "POST", "/account/second_factor/totp", {});
    const secret = String(body.secret);
    const code = nextCode(secret, steps);
    return { secret, added: await send(bearer, "POST", "/account/second_factor/totp/confirm", { code }) };
  }

  async function addPasskey(bearer: string, name = "laptop") {
    const passkey = new TestPasskey(gateway.context.config.consoleUrl);
    const { body } = await send(bearer, "POST", "/account/passkeys/options", {});
    const credential = passkey.register(body.public_key);
    const added = await send(bearer, "POST", "/account/passkeys", { ticket: body.ticket, name, credential });
    return { passkey, added };
  }

  async function signInWith(passkey: TestPasskey) {
    const { body } = await send(null, "POST", "/account/sessions/passkey/options", {});
    const answer = { ticket: body.ticket, credential: passkey.sign(body.public_key) };
    return { answer, result: await send(null, "POST", "/account/sessions/passkey", answer) };
  }

  it("requires a code of the app after the password, accepts each code once, and keeps the app's secret hidden", async () => {
    const { session, email, userId } = await gateway.createAccount();
    const setup = await send(session, "POST", "/account/second_factor/totp", {});
    expect(setup.body).toMatchObject({ qr_svg: expect.stringContaining("<svg") });
    expect((await signIn(email)).status).toBe(201);
    const { secret, added } = await setUpTotp(session);
    expect(codesOf(added)).toHaveLength(10);

    const begun = await signIn(email);
    expect(begun).toMatchObject(refusal(401, "second_factor_required"));
    expect(asked(begun).ways).toEqual(["totp", "recovery_code"]);
    const { ticket } = asked(begun);
    const used = nextCode(secret, -1);
    for (const code of [used, nextCode(secret, 5)])
      expect(await finish(ticket, { code })).toMatchObject(refusal(401, "invalid_second_factor"));
    const code = nextCode(secret, 0);
    const answers = await Promise.all([finish(ticket, { code }), finish(ticket, { code })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, expect.any(Number)]);
    expect(await finish(ticket, { code: nextCode(secret, 1) })).toMatchObject(
      refusal(410, "sign_in_expired"),
    );
    const again = asked(await signIn(email)).ticket;
    expect(await finish(again, { code })).toMatchObject(refusal(401, "invalid_second_factor"));

    const { rows } = await gateway.context.database.pool.query(
      "select ciphertext from totp_secrets where user_id = $1",
      [userId],
    );
    const kept = JSON.stringify([rows, (await send(session, "GET", "/audit_logs")).body, gateway.logLines]);
    for (const text of [secret, code, ticket, ...codesOf(added)]) expect(kept).not.toContain(text);
  });

  it("accepts each recovery code once, however it is typed, and new ones after renewal", async () => {
    const { session, email } = await gateway.createAccount();
    const { added } = await setUpTotp(session);
    const [first = "", second = "", third = ""] = codesOf(added);
    const by = async (code: string) => finish(asked(await signIn(email)).ticket, { code });
    expect((await by(first.toUpperCase().replaceAll("-", " "))).status).toBe(201);
    expect(await by(first)).toMatchObject(refusal(401, "invalid_second_factor"));
    expect((await by(second)).status).toBe(201);
    expect(await stateOf(session)).toMatchObject({ recovery_codes_left: 8 });
    const renewed = await send(session, "POST", "/account/second_factor/recovery_codes", {});
    expect(await by(third)).toMatchObject(refusal(401, "invalid_second_factor"));
    expect((await by((renewed.body.codes as string[])[0] ?? "")).status).toBe(201);
    const { body } = await send(session, "GET", "/audit_logs?action=recovery_code.used");
    expect(body.data).toHaveLength(3);
  });

  it("checks five codes from an address, even in parallel, and locks out nobody elsewhere", async () => {
    const { session, email } = await gateway.createAccount();
    const { secret } = await setUpTotp(session);
    const { ticket } = asked(await signIn(email));
    const wrong = await Promise.all(Array.from({ length: 20 }, () => finish(ticket, { code: "000000" })));
    expect(wrong.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
    expect(wrong.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(15);
    expect((await finish(ticket, { code: nextCode(secret, 0) })).status).toBe(429);
  });

  it("accepts a passkey without a password, once per challenge, or after the password", async () => {
    const { session, email } = await gateway.createAccount();
    const { passkey, added } = await addPasskey(session);
    expect(codesOf(added)).toHaveLength(10);
    const { answer, result } = await signInWith(passkey);
    expect(result.status).toBe(201);
    expect(await send(null, "POST", "/account/sessions/passkey", answer)).toMatchObject(
      refusal(410, "sign_in_expired"),
    );
    const begun = asked(await signIn(email));
    expect(begun.ways).toEqual(["passkey", "recovery_code"]);
    const { body } = await send(null, "POST", "/account/sessions/passkey/options", { ticket: begun.ticket });
    expect(body.public_key).toMatchObject({ allowCredentials: [{ id: passkey.id }] });
    expect((await finish(begun.ticket, { credential: passkey.sign(body.public_key) })).status).toBe(201);
    const { body: log } = await send(session, "GET", "/audit_logs?action=session.created");
    expect((log.data as { detail: object }[]).map(({ detail }) => detail)).toEqual([
      { method: "password", second_factor: "passkey" },
      { method: "passkey" },
      { method: "password" },
    ]);
  });

  it("refuses a passkey without its holder, of another site, of another person, or removed", async () => {
    const one = await gateway.createAccount();
    const other = await gateway.createAccount();
    const { passkey } = await addPasskey(one.session);
    const { passkey: foreign } = await addPasskey(other.session);
    await addPasskey(one.session, "phone");
    const refused = refusal(401, "invalid_second_factor");
    passkey.verifiesUser = false;
    expect((await signInWith(passkey)).result).toMatchObject(refused);
    passkey.verifiesUser = true;
    const elsewhere = new TestPasskey("https://console.example.org");
    const { body } = await send(one.session, "POST", "/account/passkeys/options", {});
    const credential = elsewhere.register(body.public_key);
    const create = { ticket: body.ticket, name: "elsewhere", credential };
    expect(await send(one.session, "POST", "/account/passkeys", create)).toMatchObject(refused);
    const { ticket } = asked(await signIn(one.email));
    const options = await send(null, "POST", "/account/sessions/passkey/options", { ticket });
    expect(await finish(ticket, { credential: foreign.sign(options.body.public_key) })).toMatchObject(
      refused,
    );

    const [first] = (await stateOf(one.session)).passkeys as { id: string }[];
    const path = `/account/passkeys/${first?.id}`;
    expect(await send(other.session, "POST", `${path}/remove`, {})).toMatchObject(
      refusal(404, "passkey_not_found"),
    );
    expect((await send(one.session, "PATCH", path, { name: "old laptop" })).body.name).toBe("old laptop");
    expect((await send(one.session, "POST", `${path}/remove`, {})).status).toBe(200);
    expect((await signInWith(passkey)).result).toMatchObject(refused);
  });

  it("asks for the password or a code before the last factor is removed, and before any change in an old session", async () => {
    const { session, email, userId } = await gateway.createAccount();
    const { secret } = await setUpTotp(session);
    const remove = (proof?: object) =>
      send(session, "POST", "/account/second_factor/totp/remove", proof ? { proof } : {});
    expect(await remove()).toMatchObject(refusal(403, "confirmation_required"));
    expect(await remove({ password: "wrong" })).toMatchObject(refusal(401, "invalid_credentials"));
    const sessions = gateway.context.database.pool;
    await sessions.query("update sessions set created_at = now() - interval '1 hour' where user_id = $1", [
      userId,
    ]);
    expect(await stateOf(session)).toMatchObject({ proof_needed: true });
    for (const path of ["/account/passkeys/options", "/account/second_factor/totp"])
      expect(await send(session, "POST", path, {})).toMatchObject(refusal(403, "confirmation_required"));
    expect((await remove({ code: nextCode(secret, 0) })).status).toBe(200);
    expect(await stateOf(session)).toMatchObject({ totp: null, recovery_codes_left: 0 });
    expect((await signIn(email)).status).toBe(201);
  });

  it("survives a password reset, is required to accept an invitation, and can be cleared only on the server", async () => {
    const person = await gateway.addMember(account, "member");
    await addPasskey(person.session);
    const reset = await send(account.session, "POST", `/account/members/${person.userId}/reset`);
    const accept = { token: reset.body.token, password: testPassword };
    expect((await send(null, "POST", "/account/password/reset", accept)).status).toBe(200);
    expect((await signIn(person.email)).status).toBe(401);

    const other = await gateway.createAccount();
    const invite = { email: person.email, role: "member" };
    const { body } = await send(other.session, "POST", "/account/invitations", invite);
    const joining = { token: body.token, password: testPassword };
    const refused = await send(null, "POST", "/account/invitations/accept", joining);
    expect(refused).toMatchObject(refusal(401, "second_factor_required"));

    await gateway.context.database.transaction((queries) => clearSecondFactor(queries, person.userId));
    expect((await signIn(person.email)).status).toBe(201);
    const log = await send(account.session, "GET", "/audit_logs?action=second_factor.cleared");
    expect(log.body.data).toMatchObject([{ actor: { type: "system" }, target_id: person.userId }]);
  });

  it("is required of everybody a week after an owner decides so, at once in every process", async () => {
    const team = await gateway.createAccount();
    const member = await gateway.addMember(team, "member");
    const require = (second_factor_required: boolean) =>
      send(team.session, "PATCH", "/account", { second_factor_required });
    expect(await require(true)).toMatchObject(refusal(400, "invalid_parameter"));
    const { added } = await addPasskey(team.session);
    expect(await send(member.session, "PATCH", "/account", { second_factor_required: true })).toMatchObject(
      refusal(403, "role_not_allowed"),
    );
    const { body } = await require(true);
    const remove = () =>
      send(team.session, "POST", `/account/passkeys/${added.body.id}/remove`, {
        proof: { password: testPassword },
      });
    expect(await remove(), "it would shut its owner out").toMatchObject(refusal(409, "last_second_factor"));
    const days = (Date.parse(String(body.second_factor_from)) - clock.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect((await require(true)).body.second_factor_from).toBe(body.second_factor_from);
    expect((await send(member.session, "GET", "/account")).body).toMatchObject({
      second_factor_from: body.second_factor_from,
      user: { has_second_factor: false },
    });

    const { pool } = gateway.context.database;
    await pool.query("update accounts set second_factor_from = now() - interval '1 s' where id = $1", [
      team.accountId,
    ]);
    const barred = refusal(401, "second_factor_required");
    await expect.poll(() => send(member.session, "GET", "/account")).toMatchObject(barred);
    expect(await send(member.session, "GET", "/predictions")).toMatchObject(barred);
    const again = String((await signIn(member.email)).body.token);
    expect(await send(again, "GET", "/usage")).toMatchObject(barred);
    expect((await stateOf(again)).required_by).toMatchObject([{ id: team.accountId }]);
    expect((await send(team.session, "GET", "/account")).status).toBe(200);
    expect((await setUpTotp(again)).added.status).toBe(201);
    expect((await send(again, "GET", "/account")).status).toBe(200);
    expect((await require(false)).body.second_factor_from).toBeNull();
    expect((await remove()).status).toBe(200);
  });

  it("reseals the app's secret while AUTH_SECRET is replaced", async () => {
    const { session, email } = await gateway.createAccount();
    const { secret } = await setUpTotp(session);
    const { config } = gateway.context;
    const previous = config.secret;
    Object.assign(config, { secret: "another-secret-that-only-tests-know", previousSecret: previous });
    try {
      await sweepAll(gateway.context, totpSealSweep);
      const { keyId } = createSealer(config, "gatehouse authenticator secrets");
      const { rows } = await gateway.context.database.pool.query("select distinct key_id from totp_secrets");
      expect(rows).toEqual([{ key_id: keyId }]);
      Object.assign(config, { previousSecret: null });
      const { ticket } = asked(await signIn(email));
      expect((await finish(ticket, { code: nextCode(secret, 0) })).status).toBe(201);
    } finally {
      Object.assign(config, { secret: previous, previousSecret: config.secret });
      await sweepAll(gateway.context, totpSealSweep);
      Object.assign(config, { previousSecret: null });
    }
  });
});

it("reports when browsers do not allow passkeys here", async () => {
  const gateway = await startTestGateway({ consoleUrl: "http://10.0.0.5:3000" });
  const { session } = await gateway.createAccount();
  const refused = refusal(409, "passkeys_unavailable");
  expect(await call(gateway, session, "POST", "/account/passkeys/options", {})).toMatchObject(refused);
  expect(await call(gateway, null, "POST", "/account/sessions/passkey/options", {})).toMatchObject(refused);
  await gateway.close();
});
