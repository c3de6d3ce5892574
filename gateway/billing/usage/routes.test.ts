import { beforeAll, describe, expect, it, vi } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

describe("an account's usage and requests", () => {
  const rowsOf = ({ body }: { body: Record<string, unknown> }) => body.data as Record<string, unknown>[];
  const ask = (path: string, bearer = account.key) => call(gateway, bearer, "GET", path);

  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());
  const stranger = shared(() => gateway.createAccount());
  const body = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
  beforeAll(async () => {
    expect((await call(gateway, account.key, "POST", "/chat/completions", body)).status).toBe(200);
    expect((await call(gateway, account.key, "POST", "/chat/completions", {})).status).toBe(400);
    await ask("/account", account.session);
  });

  it("sums usage by day, model and unit, for this account only", async () => {
    const used = rowsOf(await ask("/usage"));
    expect(used).toEqual([expect.objectContaining({ model: "svc/chat-1", unit: "token", requests: 1 })]);
    expect(used[0]?.quantity).toBeGreaterThan(0);
    expect((await ask("/usage?model=svc/chat-2")).body.data).toEqual([]);
    expect((await ask("/usage", stranger.key)).body.data).toEqual([]);
  });

  it("lists its requests, filtered by status and by key", async () => {
    const routes = async (query: string) =>
      rowsOf(await ask(`/requests?limit=100&${query}`)).map(({ route }) => route);
    // The log is written shortly after the answers.
    await vi.waitFor(async () => expect(await routes("actor=user")).toEqual(["/v1/account"]));
    expect(await routes("actor=key")).not.toContain("/v1/account");
    expect(await routes("status=200&model=svc/chat-1")).toEqual(["/v1/chat/completions"]);
    expect(await routes("status=400")).toEqual(["/v1/chat/completions"]);
    expect((await ask("/requests?actor=robot")).status).toBe(400);
    const theirs = await ask("/requests", stranger.key);
    expect(JSON.stringify(theirs.body)).not.toContain("chat/completions");
  });

  it("lists the requests of a member: signed in or with a personal key, not with a service key", async () => {
    const team = await gateway.createAccount();
    const member = await gateway.addMember(team, "member");
    const personal = await call(gateway, member.session, "POST", "/keys", { name: "mine" });
    await ask("/uploads", member.session);
    await ask("/presets", String(personal.body.secret));
    const ofMember = async () =>
      rowsOf(await ask(`/requests?user_id=${member.userId}`, team.session)).map(({ user_id, route }) => [
        user_id,
        route,
      ]);
    const expected = ["/v1/presets", "/v1/uploads", "/v1/keys"].map((route) => [member.userId, route]);
    await vi.waitFor(async () => expect(await ofMember()).toEqual(expected));
    await ask("/presets", team.key);
    const ofService = async () => rowsOf(await ask("/requests?actor=key&route=presets", team.session))[0];
    await vi.waitFor(async () => expect(await ofService()).toMatchObject({ user_id: null }));
    expect((await ask(`/requests?user_id=${member.userId}`, stranger.key)).body.data).toEqual([]);
  });

  it("lists its requests by path, status class and time, without those of the console", async () => {
    const keySession = await call(gateway, account.key, "POST", "/account/sessions/key");
    const bearer = String(keySession.body.token);
    await ask("/predictions", bearer);
    await ask("/predictions");
    await call(gateway, account.session, "POST", "/chat/completions", {});
    const calls = async (query: string) =>
      rowsOf(await ask(`/requests?limit=100&${query}`)).map(({ method, route }) => `${method} ${route}`);
    const reads = "GET /v1/predictions";
    await vi.waitFor(async () => {
      expect(await calls("route=PREDICTIONS&actor=key")).toEqual([reads, reads]);
      expect(await calls("console_reads=false&actor=user")).toEqual(["POST /v1/chat/completions"]);
    });
    const own = await calls("console_reads=false");
    expect(own.filter((each) => each === reads)).toHaveLength(1);
    expect(own).not.toContain("GET /v1/account");
    expect(await calls("status_class=4xx&actor=user")).toEqual(["POST /v1/chat/completions"]);
    expect(await calls("status_class=5xx")).toEqual([]);
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    expect(await calls(`created_before=${hourAgo}`)).toEqual([]);
    expect(await calls(`created_after=${hourAgo}&route=/v1/chat`)).not.toEqual([]);
    expect((await ask("/requests?status_class=4")).status).toBe(400);
  });
});
