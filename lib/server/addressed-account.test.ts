// @vitest-environment node
import { NextRequest } from "next/server";
import { expect, it, vi } from "vitest";
import { proxy } from "@/proxy";
import { addressAccountHeader } from "../paths.ts";

vi.stubEnv("CONSOLE_SECRET", "x".repeat(32));

/** The account that reaches the page or action behind the proxy. */
async function accountOf(path: string, headers: Record<string, string> = {}): Promise<string | null> {
  const request = new NextRequest(`http://localhost:3000${path}`, {
    method: "POST",
    body: "[]",
    headers: { "sec-fetch-site": "same-origin", "next-action": "00", ...headers },
  });
  const answer = await proxy(request);
  expect(answer.status).toBe(200);
  return answer.headers.get(`x-middleware-request-${addressAccountHeader}`);
}

it("an action runs in the account of its address, also when the framework forwards it to another page", async () => {
  expect(await accountOf("/a/acct_1/keys")).toBe("acct_1");
  // Sent by the framework, with the headers of the first request.
  const forwarded = { "x-action-forwarded": "1", [addressAccountHeader]: "acct_1" };
  expect(await accountOf("/keys", forwarded)).toBe("acct_1");
});

it("without an account in the address there is none, whatever a header says", async () => {
  expect(await accountOf("/keys", { [addressAccountHeader]: "acct_1" })).toBeNull();
  expect(await accountOf("/a/acct_2/keys", { [addressAccountHeader]: "acct_1" })).toBe("acct_2");
});
