import { beforeEach, expect, it, vi } from "vitest";
import { signInKey } from "./sign-in.ts";

const answers: Record<string, { status: number; code?: string }> = {};

beforeEach(() => {
  vi.stubGlobal("fetch", async (address: string) => {
    const { status, code } = answers[new URL(address).pathname] ?? { status: 404, code: "route_not_found" };
    return Response.json(code ? { error: { code, message: code } } : { object: "list", data: [] }, {
      status,
    });
  });
  for (const path of Object.keys(answers)) delete answers[path];
});

it("takes a key at a gateway that tells nothing about accounts", async () => {
  answers["/v1/webhooks/deliveries"] = { status: 200 };
  const result = await signInKey("svc_live_secret");
  expect(result).toMatchObject({ ok: true, data: { kind: "key", bearer: "svc_live_secret" } });
  expect(result.ok && result.data.accountId).toMatch(/^key_[0-9a-f]{16}$/);
});

it("takes a key there that may do other things only", async () => {
  answers["/v1/webhooks/deliveries"] = { status: 403, code: "insufficient_scope" };
  expect(await signInKey("svc_live_narrow")).toMatchObject({ ok: true });
});

it("takes no key there that the gateway does not know", async () => {
  answers["/v1/webhooks/deliveries"] = { status: 401, code: "invalid_api_key" };
  expect(await signInKey("svc_live_wrong")).toMatchObject({ ok: false, error: { code: "invalid_api_key" } });
});

it("asks no further where the gateway refuses the key itself", async () => {
  answers["/v1/account"] = { status: 401, code: "revoked_api_key" };
  answers["/v1/webhooks/deliveries"] = { status: 200 };
  expect(await signInKey("svc_live_old")).toMatchObject({ ok: false, error: { code: "revoked_api_key" } });
});
