import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientAddressHeader } from "#contract/client-address.ts";
import { signClientAddress } from "#gateway/platform/core/trusted-proxies.ts";
import { call, startTestGateway, type TestGateway, testPassword } from "#gateway/testing/gateway.ts";

/** Checking a password is slow, and other tests run at the same time. */
const timeoutMs = 240_000;

describe("signing in", { timeout: timeoutMs }, () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  const signIn = async (email: string, password: string, headers: Record<string, string> = {}) =>
    (await call(gateway, null, "POST", "/account/sessions", { email, password }, headers)).status;
  /** The header in which the console passes on the browser's address. */
  const from = (address: string) => ({
    [clientAddressHeader]: signClientAddress(gateway.context.config.consoleSecrets[0] ?? "", address),
  });
  const times = (statuses: number[], status: number) => statuses.filter((each) => each === status).length;

  it("checks ten wrong passwords from an address, even in parallel", async () => {
    const { email } = await gateway.createAccount();
    const statuses = await Promise.all(Array.from({ length: 40 }, () => signIn(email, "wrong")));
    expect(times(statuses, 401)).toBe(10);
    expect(times(statuses, 429)).toBe(30);
    expect(await signIn(email, testPassword)).toBe(429);
  });

  it("does not let others lock a user out", async () => {
    const { email } = await gateway.createAccount();
    const attacker = from("198.51.100.1");
    const statuses = await Promise.all(Array.from({ length: 15 }, () => signIn(email, "wrong", attacker)));
    expect(times(statuses, 429)).toBe(5);
    expect(await signIn(email, testPassword, attacker)).toBe(429);
    expect(await signIn(email, testPassword, from("203.0.113.7"))).toBe(201);
    expect(await signIn(email, testPassword)).toBe(201);
  });

  it("accepts the right password after some wrong ones, and resets the count", async () => {
    const { email } = await gateway.createAccount();
    for (const wrongOnes of [9, 2]) {
      for (let wrong = 0; wrong < wrongOnes; wrong += 1) expect(await signIn(email, "wrong")).toBe(401);
      expect(await signIn(` ${email.toUpperCase()} `, testPassword)).toBe(201);
    }
  });

  it("does not count attempts whose password was not checked", async () => {
    const { email } = await gateway.createAccount();
    const { database } = gateway.context;
    await database.pool.query("alter table users rename to users_away");
    for (let failed = 0; failed < 11; failed += 1) expect(await signIn(email, "wrong")).toBe(500);
    await database.pool.query("alter table users_away rename to users");
    expect(await signIn(email, testPassword)).toBe(201);
  });

  it("does not let a flood from one address delay or refuse the others", async () => {
    const { email } = await gateway.createAccount();
    const flood = Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        signIn(`flood-${at}@example.com`, "wrong", from("198.51.100.77")),
      ),
    );
    const others = await Promise.all(
      Array.from({ length: 26 }, (_, at) => signIn(email, testPassword, from(`203.0.113.${at + 20}`))),
    );
    expect(times(others, 201)).toBe(26);
    expect(times(await flood, 429)).toBeGreaterThan(0);
  });

  it("checks second factors and new passwords in the same queue, unaffected by a flood from another address", async () => {
    const account = await gateway.createAccount();
    const flood = Promise.all(
      Array.from({ length: 60 }, (_, at) => signIn(`more-${at}@example.com`, "wrong", from("198.51.100.78"))),
    );
    const send = (path: string, body: unknown, at: string) =>
      call(gateway, account.session, "POST", path, body, from(at));
    const proof = { proof: { password: testPassword } };
    const proved = await send("/account/second_factor/totp", proof, "203.0.113.8");
    const password = { current: testPassword, new: "four words apart" };
    const changed = await send("/account/password", password, "203.0.113.9");
    expect([proved.status < 300, changed.status]).toEqual([true, 200]);
    await flood;
  });

  it("queues other checks, up to a limit", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, (_, at) => signIn(`nobody-${at}@example.com`, "wrong")),
    );
    expect(times(statuses, 401)).toBeGreaterThanOrEqual(22);
    expect(times(statuses, 429)).toBeGreaterThan(0);
    expect(times(statuses, 401) + times(statuses, 429)).toBe(60);
    expect(await signIn("nobody-more@example.com", "wrong")).toBe(401);
  });
});
