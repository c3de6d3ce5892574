// @vitest-environment node
import { NextRequest } from "next/server";
import { expect, it, vi } from "vitest";
import { answerAuth } from "./auth-options.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

/** The status, and the body that next-auth got. Null: next-auth was not called. */
async function ask(method: string, route: string, body?: string | ReadableStream, headers = form) {
  const answer = vi.fn(async (request: NextRequest) => new Response(await request.text()));
  const request = new NextRequest(`http://localhost:3000/api/auth/${route}`, {
    method,
    headers,
    ...(body !== undefined && { body, duplex: "half" }),
  } as ConstructorParameters<typeof NextRequest>[1]);
  const response = await answerAuth(request, route.split("/"), answer);
  return { status: response.status, handed: answer.mock.calls.length > 0 ? await response.text() : null };
}

it("passes on the requests of signing in and out", async () => {
  for (const route of ["csrf", "session"]) expect((await ask("GET", route)).status).toBe(200);
  for (const route of [
    "callback/password",
    "callback/second-factor",
    "callback/passkey",
    "callback/account-key",
    "passkey-options",
    "signout",
  ])
    expect(await ask("POST", route, "csrfToken=a&json=true")).toEqual({
      status: 200,
      handed: "csrfToken=a&json=true",
    });
});

it.each([
  ["POST", "_log"],
  ["GET", "providers"],
  ["GET", "signin"],
  ["POST", "signin/password"],
  ["GET", "signout"],
  ["GET", "error"],
  ["GET", "verify-request"],
  ["POST", "session"],
  ["GET", "callback/password"],
  ["POST", "callback/password/more"],
  ["POST", "callback/%5f%5fproto__"],
])("does not answer %s %s", async (method, route) => {
  expect(await ask(method, route, method === "POST" ? "a=b" : undefined)).toEqual({
    status: 404,
    handed: null,
  });
});

it("reads at most 16 kB, whatever length was announced", async () => {
  expect(await ask("POST", "callback/password", "a".repeat(16 * 1024))).toMatchObject({ status: 200 });
  expect(await ask("POST", "callback/password", "a".repeat(16 * 1024 + 1))).toEqual({
    status: 413,
    handed: null,
  });
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(1024));
    },
  });
  expect(await ask("POST", "callback/account-key", endless)).toEqual({ status: 413, handed: null });
  expect(pulled).toBeLessThan(30);
});

it("accepts only forms", async () => {
  const json = { "content-type": "application/json" };
  expect(await ask("POST", "callback/password", "{", json)).toEqual({ status: 415, handed: null });
});
