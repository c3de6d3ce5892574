import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway, testPassword } from "#gateway/testing/gateway.ts";
import { from, signIn, times } from "./testing/sign-in.ts";

/** Checking a password is slow, and other tests run at the same time. */
const timeoutMs = 240_000;

describe("many attempts to sign in", { timeout: timeoutMs }, () => {
  const gateway = shared(startTestGateway);

  it("does not let a flood from one address delay or refuse the others", async () => {
    const { email } = await gateway.createAccount();
    const flood = Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        signIn(gateway, `flood-${at}@example.com`, "wrong", from(gateway, "198.51.100.77")),
      ),
    );
    const others = await Promise.all(
      Array.from({ length: 26 }, (_, at) =>
        signIn(gateway, email, testPassword, from(gateway, `203.0.113.${at + 20}`)),
      ),
    );
    expect(times(others, 201)).toBe(26);
    expect(times(await flood, 429)).toBeGreaterThan(0);
  });

  it("checks second factors and new passwords in the same queue, unaffected by a flood from another address", async () => {
    const account = await gateway.createAccount();
    const flood = Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        signIn(gateway, `more-${at}@example.com`, "wrong", from(gateway, "198.51.100.78")),
      ),
    );
    const send = (path: string, body: unknown, at: string) =>
      call(gateway, account.session, "POST", path, body, from(gateway, at));
    const proof = { proof: { password: testPassword } };
    const proved = await send("/account/second_factor/totp", proof, "203.0.113.8");
    const password = { current: testPassword, new: "four words apart" };
    const changed = await send("/account/password", password, "203.0.113.9");
    expect([proved.status < 300, changed.status]).toEqual([true, 200]);
    await flood;
  });

  it("queues other checks, up to a limit", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, (_, at) => signIn(gateway, `nobody-${at}@example.com`, "wrong")),
    );
    expect(times(statuses, 401)).toBeGreaterThanOrEqual(22);
    expect(times(statuses, 429)).toBeGreaterThan(0);
    expect(times(statuses, 401) + times(statuses, 429)).toBe(60);
    expect(await signIn(gateway, "nobody-more@example.com", "wrong")).toBe(401);
  });
});
