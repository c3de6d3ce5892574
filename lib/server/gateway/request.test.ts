import { beforeEach, expect, it, vi } from "vitest";
import { personHeader } from "../../person.ts";
import { requestGateway } from "./request.ts";

const state = vi.hoisted(() => ({
  token: null as { bearer: string; kind: "user" } | null,
  account: null as string | null,
  headers: new Headers(),
  answer: { status: 200, body: {} as unknown },
}));

vi.mock("next/headers", () => ({
  headers: async () => state.headers,
  cookies: async () => ({ get: () => ({ value: encodeURIComponent("account=acct_2") }) }),
}));
vi.mock("next/navigation", () => ({
  redirect: (path: string) => {
    throw new Error(`redirect ${path}`);
  },
}));
vi.mock("../session.ts", async (original) => ({
  ...(await original<typeof import("../session.ts")>()),
  sessionToken: async () => state.token,
  addressedAccount: async () => state.account,
  requestedPath: async () => "/predictions?status=failed",
}));

const sent = vi.fn();

beforeEach(() => {
  state.token = { bearer: "tok_1", kind: "user" };
  state.account = null;
  state.headers = new Headers({ "x-gatehouse-client": "t=1,a=203.0.113.7,v1=00" });
  state.answer = { status: 200, body: { id: "pred_1" } };
  sent.mockReset();
  vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
    sent(address, init.headers);
    return Response.json(state.answer.body, {
      status: state.answer.status,
      headers: { "x-request-id": "req_1", "x-svc-change-id": "log_1" },
    });
  });
});

it("calls the gateway as the visitor and passes on their address", async () => {
  expect(await requestGateway("/predictions", { query: { limit: 5, status: null } })).toEqual({
    ok: true,
    data: { id: "pred_1" },
    changeId: "log_1",
  });
  const [address, headers] = sent.mock.calls[0] ?? [];
  expect(address).toMatch(/\/v1\/predictions\?limit=5$/);
  expect(headers).toMatchObject({
    authorization: "Bearer tok_1",
    "x-gatehouse-client": "t=1,a=203.0.113.7,v1=00",
  });
});

it("does nothing for a page that was rendered for somebody else", async () => {
  vi.stubEnv("CONSOLE_SECRET", "x".repeat(32));
  state.headers.set(personHeader, "somebody else");
  expect(await requestGateway("/keys", { method: "POST" })).toMatchObject({
    ok: false,
    error: { status: 409, code: "signed_in_as_another" },
  });
  expect(sent).not.toHaveBeenCalled();
});

it("names the account in the page's address", async () => {
  state.account = "acct_1";
  await requestGateway("/predictions");
  expect(sent.mock.calls[0]?.[1]).toMatchObject({ "x-svc-account": "acct_1" });
});

it("redirects a person with several accounts from a page without an account to the account opened last", async () => {
  state.answer = { status: 400, body: { error: { code: "account_required", message: "Which?" } } };
  vi.stubGlobal("fetch", async (address: string) =>
    address.endsWith("/accounts")
      ? Response.json({ data: [{ id: "acct_1" }, { id: "acct_2" }] })
      : Response.json(state.answer.body, { status: state.answer.status }),
  );
  await expect(requestGateway("/predictions")).rejects.toThrow(
    "redirect /a/acct_2/predictions?status=failed",
  );
  // A redirect would lose the text that the visitor typed.
  state.headers.set("next-action", "1");
  expect(await requestGateway("/keys")).toMatchObject({ ok: false, error: { code: "account_required" } });
});

it("returns an expected failure as a value", async () => {
  state.answer = {
    status: 404,
    body: { error: { code: "prediction_not_found", message: "No such prediction." } },
  };
  expect(await requestGateway("/predictions/pred_9")).toMatchObject({
    ok: false,
    error: { status: 404, code: "prediction_not_found", requestId: "req_1" },
  });
});

it("redirects a page to the sign-in page and back when the gateway has ended the session", async () => {
  state.answer = { status: 401, body: { error: { code: "invalid_api_key" } } };
  await expect(requestGateway("/predictions")).rejects.toThrow(
    "redirect /sign-in?from=%2Fpredictions%3Fstatus%3Dfailed&reason=ended",
  );
});

it("answers an action with a failure instead of a redirect, so that typed text is not lost", async () => {
  state.headers.set("next-action", "abc");
  state.token = null;
  expect(await requestGateway("/keys", { method: "POST", body: {} })).toMatchObject({
    ok: false,
    error: { code: "signed_out", status: 401 },
  });
  expect(sent).not.toHaveBeenCalled();
});

it("does not let an id change the route", async () => {
  for (const id of ["..", "."])
    expect(await requestGateway(`/webhooks/endpoints/${encodeURIComponent(id)}`)).toMatchObject({
      ok: false,
      error: { status: 404 },
    });
  expect(sent).not.toHaveBeenCalled();
});
