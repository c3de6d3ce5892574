import { beforeEach, expect, it, vi } from "vitest";
import { signInKey } from "./sign-in.ts";

const answers: Record<string, { status: number; code?: string; body?: object }> = {};
const keySession = {
  id: "ses_1",
  object: "session",
  token: "svc_sess_token",
  expires_at: "2100-01-01T00:00:00.000Z",
  account: {
    id: "acct_1",
    object: "account",
    name: "Acme",
    user: null,
    key: { id: "key_1", name: "laptop" },
  },
};

beforeEach(() => {
  vi.stubGlobal("fetch", async (address: string) => {
    const { status, code, body } = answers[new URL(address).pathname] ?? {
      status: 404,
      code: "route_not_found",
    };
    return Response.json(code ? { error: { code, message: code } } : (body ?? { object: "list", data: [] }), {
      status,
    });
  });
  for (const path of Object.keys(answers)) delete answers[path];
});

it("exchanges a key for a session, so that the cookie does not contain the key", async () => {
  answers["/v1/account/sessions/key"] = { status: 201, body: keySession };
  expect(await signInKey("svc_live_secret", null)).toEqual({
    ok: true,
    data: {
      kind: "key",
      bearer: "svc_sess_token",
      personId: "key_1",
      expiresAtMs: Date.parse(keySession.expires_at),
      accountId: "acct_1",
      accountName: "Acme",
      name: "laptop",
      email: null,
    },
  });
});

it("accepts a key with a gateway without account routes", async () => {
  answers["/v1/webhooks/deliveries"] = { status: 200 };
  const result = await signInKey("svc_live_secret", null);
  expect(result).toMatchObject({ ok: true, data: { kind: "key", bearer: "svc_live_secret" } });
  expect(result.ok && result.data.accountId).toMatch(/^key_[0-9a-f]{16}$/);
});

it("accepts a key with other permissions there", async () => {
  answers["/v1/webhooks/deliveries"] = { status: 403, code: "insufficient_scope" };
  expect(await signInKey("svc_live_narrow", null)).toMatchObject({ ok: true });
});

it("refuses a key there that the gateway does not accept", async () => {
  answers["/v1/webhooks/deliveries"] = { status: 401, code: "invalid_api_key" };
  expect(await signInKey("svc_live_wrong", null)).toMatchObject({
    ok: false,
    error: { code: "invalid_api_key" },
  });
});

it("stops when the gateway refuses the key", async () => {
  answers["/v1/account/sessions/key"] = { status: 401, code: "revoked_api_key" };
  answers["/v1/webhooks/deliveries"] = { status: 200 };
  expect(await signInKey("svc_live_old", null)).toMatchObject({
    ok: false,
    error: { code: "revoked_api_key" },
  });
});
