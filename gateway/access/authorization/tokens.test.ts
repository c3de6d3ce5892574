import { describe, expect, it } from "vitest";
import { sql } from "#gateway/platform/database/drizzle.ts";
import {
  callTool,
  codeForm,
  codeIn,
  connect,
  consentTo,
  newAgent,
  refreshWith,
  rootOf,
  sendForm,
  type TestConnection,
} from "#gateway/testing/agent.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { unusedConnectionSweep } from "./consent.ts";

const gateway = shared(() => startTestGateway({ publicRequestsPerMinute: 10_000 }));
const account = shared(() => gateway.createAccount());

/** Whether the access token still works. */
const works = async (token: string) => (await callTool(gateway, token, "search_models", {})).status === 200;

async function reasons(action: string): Promise<unknown[]> {
  const { body } = await call(gateway, account.session, "GET", `/audit_logs?action=${action}`);
  return (body.data as { detail: { reason?: string } }[]).map(({ detail }) => detail.reason);
}

describe("a code", () => {
  async function consented() {
    const agent = await newAgent(gateway);
    const { body } = await consentTo(gateway, account.session, agent);
    return {
      agent,
      code: codeIn(body),
      id: String(body.connection_id),
      url: new URL(String(body.redirect_url)),
    };
  }

  it("is returned with the state and the issuer, and is exchanged for tokens that are not stored", async () => {
    const { agent, code, url } = await consented();
    expect(url.searchParams.get("state")).toBe("the state");
    expect(url.searchParams.get("iss")).toBe(rootOf(gateway));
    const { status, body, headers } = await sendForm(gateway, "/oauth/token", codeForm(agent, code));
    expect({ status, cached: headers.get("cache-control") }).toEqual({ status: 200, cached: "no-store" });
    expect(body).toEqual({
      access_token: expect.stringMatching(/^svc_conn_/),
      refresh_token: expect.stringMatching(/^svc_refr_/),
      token_type: "Bearer",
      expires_in: 3_600,
      scope: "inference predictions uploads",
    });
    expect(await works(String(body.access_token))).toBe(true);
    const dump = await gateway.context.database.queries.execute(sql`select k::text || c::text as row
      from api_keys k join connections c on c.key_id = k.id`);
    const stored = JSON.stringify(dump.rows);
    for (const secret of [code, body.access_token, body.refresh_token]) expect(stored).not.toContain(secret);
  });

  it.each([
    ["another client", { client_id: "client_other" }],
    ["no client", { client_id: "" }],
    ["another address", { redirect_uri: "http://127.0.0.1:8888/callback" }],
    ["another verifier", { code_verifier: "v".repeat(43) }],
    ["no verifier", { code_verifier: "" }],
    ["the challenge itself", { code_verifier: "%challenge" }],
  ])("cannot be exchanged by %s", async (_, change) => {
    const { agent, code } = await consented();
    const form = { ...codeForm(agent, code), ...change };
    if (form.code_verifier === "%challenge") form.code_verifier = agent.asked.code_challenge ?? "";
    expect(await sendForm(gateway, "/oauth/token", form)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  });

  it("cannot be exchanged for another resource", async () => {
    const { agent, code } = await consented();
    const form = { ...codeForm(agent, code), resource: `${rootOf(gateway)}/v1` };
    expect((await sendForm(gateway, "/oauth/token", form)).body.error).toBe("invalid_target");
  });

  it("cannot be exchanged after a minute, and leaves no connection", async () => {
    const { agent, code, id } = await consented();
    await gateway.context.database.queries.execute(
      sql`update connections set code_expires_at = now() - interval '11 minutes' where key_id = ${id}`,
    );
    expect((await sendForm(gateway, "/oauth/token", codeForm(agent, code))).body.error).toBe("invalid_grant");
    await unusedConnectionSweep.run(gateway.context);
    const { rows } = await gateway.context.database.queries.execute(
      sql`select from api_keys where id = ${id}`,
    );
    expect(rows).toEqual([]);
  });

  it("that is sent twice revokes its tokens", async () => {
    const { agent, code, id } = await consented();
    const form = codeForm(agent, code);
    const { body } = await sendForm(gateway, "/oauth/token", form);
    expect(await works(String(body.access_token))).toBe(true);
    expect((await sendForm(gateway, "/oauth/token", form)).body.error).toBe("invalid_grant");
    expect(await works(String(body.access_token))).toBe(false);
    const connection = { id, agent } as TestConnection;
    expect((await refreshWith(gateway, connection, String(body.refresh_token))).status).toBe(400);
    expect(await reasons("connection.ended")).toContain("code_reused");
  });

  it("that is sent many times at once gives tokens at most once, and then they are revoked", async () => {
    const { agent, code } = await consented();
    const form = codeForm(agent, code);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => sendForm(gateway, "/oauth/token", form)),
    );
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBe(1);
    expect(await works(String(given[0]?.body.access_token))).toBe(false);
  });
});

describe("a refresh token", () => {
  it("gives the next pair once; the previous access token works until it expires", async () => {
    const first = await connect(gateway, account.session);
    const { status, body } = await refreshWith(gateway, first, first.refreshToken);
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(first.refreshToken);
    expect(await works(String(body.access_token))).toBe(true);
    expect(await works(first.accessToken)).toBe(true);
    const again = await refreshWith(gateway, first, String(body.refresh_token));
    expect(again.status).toBe(200);
    expect(await works(first.accessToken)).toBe(false);
  });

  it("used twice ends the connection and everything issued from it", async () => {
    const first = await connect(gateway, account.session);
    const { body: next } = await refreshWith(gateway, first, first.refreshToken);
    const stolen = await refreshWith(gateway, first, first.refreshToken);
    expect(stolen).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await works(String(next.access_token))).toBe(false);
    expect(await works(first.accessToken)).toBe(false);
    expect((await refreshWith(gateway, first, String(next.refresh_token))).body.error).toBe("invalid_grant");
    const { body } = await call(gateway, account.session, "GET", `/connections/${first.id}`);
    expect(body).toMatchObject({ ended_because: "refresh_token_reused", revoked_at: expect.any(String) });
    expect(await reasons("connection.ended")).toContain("refresh_token_reused");
  });

  it("sent many times at once counts as used twice", async () => {
    const first = await connect(gateway, account.session);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => refreshWith(gateway, first, first.refreshToken)),
    );
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBe(1);
    expect(await works(String(given[0]?.body.access_token))).toBe(false);
  });

  it("works only for its client and resource, and gives no more than the person granted", async () => {
    const { agent, refreshToken } = await connect(gateway, account.session, { scopes: ["inference"] });
    const form = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: agent.clientId };
    const send = (change: object) => sendForm(gateway, "/oauth/token", { ...form, ...change });
    expect((await send({ client_id: "client_other" })).body.error).toBe("invalid_grant");
    expect((await send({ resource: "https://another.example/mcp" })).body.error).toBe("invalid_target");
    expect((await send({ scope: "inference uploads" })).body.error).toBe("invalid_scope");
    expect((await send({ refresh_token: "svc_refr_made_up" })).body.error).toBe("invalid_grant");
    expect((await send({})).body.scope).toBe("inference");
  });
});

describe("an access token", () => {
  it("expires after an hour, and the 401 names the address that gives a new one", async () => {
    const { id, accessToken } = await connect(gateway, account.session);
    await gateway.context.database.queries.execute(
      sql`update api_keys set secret_hash = secret_hash, secret_expires_at = now() - interval '1 second' where id = ${id}`,
    );
    await expect
      .poll(async () => (await callTool(gateway, accessToken, "search_models", {})).status)
      .toBe(401);
    const { headers } = await callTool(gateway, accessToken, "search_models", {});
    expect(headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token", resource_metadata="/);
  });

  it.each(["access", "refresh"] as const)(
    "and its connection end when the client revokes its %s token",
    async (kind) => {
      const connection = await connect(gateway, account.session);
      const token = kind === "access" ? connection.accessToken : connection.refreshToken;
      const stranger = await sendForm(gateway, "/oauth/revoke", { token, client_id: "client_other" });
      expect(stranger.status).toBe(200);
      expect(await works(connection.accessToken)).toBe(true);
      const answer = await sendForm(gateway, "/oauth/revoke", {
        token,
        client_id: connection.agent.clientId,
      });
      expect(answer.status).toBe(200);
      expect(await works(connection.accessToken)).toBe(false);
      expect((await refreshWith(gateway, connection, connection.refreshToken)).status).toBe(400);
    },
  );

  it("can be revoked without an error even if it is not valid", async () => {
    expect((await sendForm(gateway, "/oauth/revoke", { token: "nothing" })).status).toBe(200);
    expect((await sendForm(gateway, "/oauth/revoke", {})).body.error).toBe("invalid_request");
  });
});
