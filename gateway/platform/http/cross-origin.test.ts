import OpenAI from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const page = "https://app.example.com";
const other = "https://other.example.com";
const stranger = "https://stranger.example.com";

describe("requests of pages of other origins", () => {
  let ownKey: { id: string; secret: string };
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());
  beforeAll(async () => {
    ownKey = await makeKey([page]);
  });

  async function makeKey(origins: string[], more: object = {}): Promise<{ id: string; secret: string }> {
    const body = { name: "browser", scopes: ["inference", "keys"], allowed_origins: origins, ...more };
    const made = await call(gateway, account.session, "POST", "/keys", body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body as { id: string; secret: string };
  }

  const preflight = (origin: string, path = "/chat/completions") =>
    fetch(`${gateway.url}${path}`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,x-stainless-lang,x-made-up",
      },
    });
  const chat = (origin: string | null, key: string, body: object = {}) =>
    fetch(`${gateway.url}/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(origin && { origin }),
      },
      body: JSON.stringify({ model: "svc/chat-1", messages: [{ role: "user", content: "Hi" }], ...body }),
    });
  const allowed = (answer: Response) => answer.headers.get("access-control-allow-origin");

  it("a preflight is answered for an origin that any key allows, without a key and without revealing which key", async () => {
    const answer = await preflight(page);
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": page,
      vary: "Origin",
      "access-control-allow-methods": expect.stringContaining("POST"),
      "access-control-max-age": "600",
    });
    const headers = String(answer.headers.get("access-control-allow-headers"));
    for (const name of ["authorization", "content-type", "x-stainless-lang"]) expect(headers).toContain(name);
    expect(headers).not.toContain("x-made-up");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    const unknown = await preflight(stranger);
    expect(unknown.status).not.toBe(204);
    expect(allowed(unknown)).toBeNull();
  });

  it("a page of an allowed origin can read answers, streams and errors with their headers", async () => {
    const answer = await chat(page, ownKey.secret);
    expect([answer.status, allowed(answer)]).toEqual([200, page]);
    expect(answer.headers.get("access-control-expose-headers")).toContain("x-request-id");
    const streamed = await chat(page, ownKey.secret, { stream: true });
    expect([allowed(streamed), (await streamed.text()).includes("[DONE]")]).toEqual([page, true]);
    for (const [body, status] of [
      [{ model: "svc/none" }, 404],
      [{ messages: 1 }, 400],
    ] as const) {
      const refused = await chat(page, ownKey.secret, body);
      expect([refused.status, allowed(refused)]).toEqual([status, page]);
    }
    const unknownKey = await chat(page, "svc_live_nobody");
    expect([unknownKey.status, allowed(unknownKey)]).toEqual([401, page]);
  });

  it("another page is refused before anything runs, even if another key allows its origin", async () => {
    await makeKey([other]);
    const before = await requestsOf();
    const refused = await chat(other, ownKey.secret);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: "origin_not_allowed" } });
    expect((await chat(stranger, ownKey.secret)).status).toBe(403);
    expect((await requestsOf()).filter((row) => row.region !== null)).toEqual(
      before.filter((row) => row.region !== null),
    );
    // A server sends no Origin header.
    expect((await chat(null, ownKey.secret)).status).toBe(200);
  });

  async function requestsOf(): Promise<{ region: string | null; status: number }[]> {
    const { body } = await call(gateway, account.session, "GET", "/requests?status=403");
    return body.data as { region: string | null; status: number }[];
  }

  it("a key without a list works as before, and pages cannot read its answers", async () => {
    const answer = await chat(page, account.key);
    expect([answer.status, allowed(answer)]).toEqual([200, null]);
    expect(allowed(await fetch(`${gateway.url}/models`, { headers: { origin: stranger } }))).toBeNull();
  });

  it("origins are stored in the form that browsers send; anything else is refused", async () => {
    const made = await makeKey(["https://App.Example.com:443/", "http://localhost:5173"]);
    const { body } = await call(gateway, account.session, "GET", "/keys?limit=1");
    expect((body.data as object[])[0]).toMatchObject({
      id: made.id,
      allowed_origins: ["https://app.example.com", "http://localhost:5173"],
    });
    for (const origin of [
      "*",
      "null",
      "https://*.example.com/x",
      "ftp://example.com",
      "https://a@b.com",
      "example.com",
      "",
    ]) {
      const { status } = await call(gateway, account.session, "POST", "/keys", {
        name: "x",
        allowed_origins: [origin],
      });
      expect(status, origin).toBe(400);
    }
    const many = Array.from({ length: 21 }, (_, at) => `https://a${at}.example.com`);
    expect(
      (await call(gateway, account.session, "POST", "/keys", { name: "x", allowed_origins: many })).status,
    ).toBe(400);
  });

  it("a key for pages cannot create keys for others", async () => {
    const make = (allowed_origins: string[] | null) =>
      call(gateway, ownKey.secret, "POST", "/keys", { name: "x", scopes: ["inference"], allowed_origins });
    expect((await make(null)).body.error).toMatchObject({
      code: "origin_not_allowed",
      param: "allowed_origins",
    });
    expect((await make([other])).status).toBe(403);
    expect((await make([page])).status).toBe(201);
  });

  it("a changed list and a revoked key take effect at once", async () => {
    const origin = "https://late.example.com";
    const late = await makeKey(["https://first.example.com"]);
    const path = `/keys/${late.id}`;
    expect(allowed(await preflight("https://first.example.com"))).toBe("https://first.example.com");
    await call(gateway, account.session, "PATCH", path, { allowed_origins: [origin] });
    expect(allowed(await preflight(origin))).toBe(origin);
    expect(allowed(await preflight("https://first.example.com"))).toBeNull();
    expect((await chat(origin, late.secret)).status).toBe(200);
    await call(gateway, account.session, "DELETE", path);
    expect(allowed(await preflight(origin))).toBeNull();
  });

  it("openai's client sends only headers that are allowed", async () => {
    const asked: string[] = [];
    const openai = new OpenAI({
      baseURL: gateway.url,
      apiKey: ownKey.secret,
      dangerouslyAllowBrowser: true,
      fetch: (url, init) => {
        asked.push(...new Headers(init?.headers as HeadersInit).keys());
        return fetch(url, init as RequestInit);
      },
    });
    await openai.models.list();
    await openai.chat.completions.create({
      model: "svc/chat-1",
      messages: [{ role: "user", content: "Hi" }],
    });
    const answer = await fetch(`${gateway.url}/chat/completions`, {
      method: "OPTIONS",
      headers: {
        origin: page,
        "access-control-request-method": "POST",
        "access-control-request-headers": asked.join(","),
      },
    });
    const names = new Set(answer.headers.get("access-control-allow-headers")?.split(", "));
    const always = ["accept", "accept-language", "content-language", "content-length"];
    expect(asked.filter((name) => !names.has(name) && !always.includes(name))).toEqual([]);
  });
});
