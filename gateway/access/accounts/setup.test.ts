import { expect, test } from "vitest";
import type { Session } from "#contract/accounts/account.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";
import { setupToken } from "./accounts.ts";

const gateway = shared(() => startTestGateway({ previousSecret: "the-master-secret-of-yesterday-001" }));

test("the set-up link of either master secret works once, and its owner has the language of the set-up", async () => {
  const { secret, previousSecret } = gateway.context.config;
  const other = setupToken({ secret: "somebody-else's-secret", previousSecret: null });
  const before = setupToken({ secret: previousSecret ?? "", previousSecret: null });
  expect(setupToken({ secret, previousSecret })).not.toBe(before);
  expect(await setUp(other)).toEqual([403, "setup_not_allowed"]);
  expect(await setUp(before)).toEqual([201, "zh-CN"]);
  expect(await setUp(before)).toEqual([403, "setup_not_allowed"]);
});

async function setUp(token: string): Promise<[number, string | null]> {
  const answer = await fetch(`${gateway.url}/account/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      setup_token: token,
      name: "Owner",
      email: "owner@example.com",
      password: "correct-horse-battery",
      language: "zh-CN",
    }),
  });
  const body = (await answer.json()) as { error: { code: string } } | Session;
  return [answer.status, "error" in body ? body.error.code : (body.account.user?.language ?? null)];
}
