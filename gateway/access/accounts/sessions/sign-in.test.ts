import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway, testPassword } from "#gateway/testing/gateway.ts";
import { from, signIn, times } from "./testing/sign-in.ts";

/** Checking a password is slow, and other tests run at the same time. */
const timeoutMs = 240_000;

describe("signing in", { timeout: timeoutMs }, () => {
  const gateway = shared(startTestGateway);

  it("checks ten wrong passwords from an address, even in parallel", async () => {
    const { email } = await gateway.createAccount();
    const statuses = await Promise.all(Array.from({ length: 40 }, () => signIn(gateway, email, "wrong")));
    expect(times(statuses, 401)).toBe(10);
    expect(times(statuses, 429)).toBe(30);
    expect(await signIn(gateway, email, testPassword)).toBe(429);
  });

  it("does not let others lock a user out", async () => {
    const { email } = await gateway.createAccount();
    const attacker = from(gateway, "198.51.100.1");
    const statuses = await Promise.all(
      Array.from({ length: 15 }, () => signIn(gateway, email, "wrong", attacker)),
    );
    expect(times(statuses, 429)).toBe(5);
    expect(await signIn(gateway, email, testPassword, attacker)).toBe(429);
    expect(await signIn(gateway, email, testPassword, from(gateway, "203.0.113.7"))).toBe(201);
    expect(await signIn(gateway, email, testPassword)).toBe(201);
  });

  it("accepts the right password after some wrong ones, and resets the count", async () => {
    const { email } = await gateway.createAccount();
    for (const wrongOnes of [9, 2]) {
      for (let wrong = 0; wrong < wrongOnes; wrong += 1)
        expect(await signIn(gateway, email, "wrong")).toBe(401);
      expect(await signIn(gateway, ` ${email.toUpperCase()} `, testPassword)).toBe(201);
    }
  });

  it("does not count attempts whose password was not checked", async () => {
    const { email } = await gateway.createAccount();
    const { database } = gateway.context;
    await database.pool.query("alter table users rename to users_away");
    for (let failed = 0; failed < 11; failed += 1) expect(await signIn(gateway, email, "wrong")).toBe(500);
    await database.pool.query("alter table users_away rename to users");
    expect(await signIn(gateway, email, testPassword)).toBe(201);
  });
});
