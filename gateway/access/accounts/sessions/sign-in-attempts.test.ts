import { expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";
import { countAttempt } from "./sign-in.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));

const known = "127.0.0.1";
const limited = { code: "rate_limit_exceeded" };

/** Separate counters for each test. */
function counter(email: string) {
  const { database, limiter } = gateway.context;
  return (ip: string) => countAttempt({ database, limiter }, email, ip);
}

it("refuses the eleventh attempt from one address, and none from another", async () => {
  const attempt = counter("a@example.com");
  for (let count = 0; count < 10; count += 1) await attempt("203.0.113.1");
  await expect(attempt("203.0.113.1")).rejects.toMatchObject(limited);
  await attempt("203.0.113.2");
});

it("counts an IPv6 network as one address", async () => {
  const attempt = counter("b@example.com");
  for (let count = 0; count < 10; count += 1) await attempt(`2001:db8::${count}`);
  await expect(attempt("2001:db8::ffff")).rejects.toMatchObject(limited);
});

it("limits all addresses together, except those from which the user has signed in before", async () => {
  const { email } = await gateway.createAccount();
  const attempt = counter(email);
  for (let at = 0; at < 100; at += 1) await attempt(`198.51.100.${at}`);
  await expect(attempt("203.0.113.1")).rejects.toMatchObject(limited);
  for (let count = 0; count < 10; count += 1) await attempt(known);
  await expect(attempt(known)).rejects.toMatchObject(limited);
});

it("does not count a withdrawn attempt, and clears the count after the right password", async () => {
  const attempt = counter("c@example.com");
  for (let count = 0; count < 9; count += 1) await attempt(known);
  await (await attempt(known)).withdraw();
  await (await attempt(known)).succeed();
  for (let count = 0; count < 10; count += 1) await attempt(known);
  await expect(attempt(known)).rejects.toMatchObject(limited);
});
