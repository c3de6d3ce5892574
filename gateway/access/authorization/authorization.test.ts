import { describe, expect, it } from "vitest";
import { sql } from "#gateway/platform/database/drizzle.ts";
import {
  asking,
  callbackUri,
  callTool,
  consentTo,
  newAgent,
  register,
  rootOf,
  sendForm,
} from "#gateway/testing/agent.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, refusal, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ publicRequestsPerMinute: 10_000 }));
const account = shared(() => gateway.createAccount());

const read = (asked: Record<string, string>, session = account.session) =>
  call(gateway, session, "POST", "/authorization/requests", asked);
const json = async (path: string) => (await fetch(rootOf(gateway) + path)).json() as Promise<object>;
describe("how a client finds the authorization server", () => {
  it("from the answer to a request without a token", async () => {
    const { status, headers } = await callTool(gateway, null, "search_models", {});
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${rootOf(gateway)}/.well-known/oauth-protected-resource/mcp", scope="inference predictions uploads"`,
    );
  });

  it("and a wrong account key gets the usual answer", async () => {
    const { status, headers, text } = await callTool(gateway, "svc_live_wrong", "search_models", {});
    expect({ status, said: headers.get("www-authenticate") }).toEqual({ status: 401, said: "Bearer" });
    expect(text).toContain("invalid_api_key");
  });

  it("an account key works without any authorization flow", async () => {
    expect((await callTool(gateway, account.key, "search_models", {})).status).toBe(200);
  });

  it.each(["", "/mcp"])("by reading the metadata of the resource, at the path%s", async (suffix) => {
    expect(await json(`/.well-known/oauth-protected-resource${suffix}`)).toMatchObject({
      resource: `${rootOf(gateway)}/mcp`,
      authorization_servers: [rootOf(gateway)],
    });
  });

  it.each([
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/openid-configuration",
    "/.well-known/openid-configuration/mcp",
    "/mcp/.well-known/openid-configuration",
  ])("by reading the metadata of the server, at %s", async (path) => {
    expect(await json(path)).toMatchObject({
      issuer: rootOf(gateway),
      authorization_endpoint: `${gateway.context.config.consoleUrl}/authorize`,
      token_endpoint: `${rootOf(gateway)}/oauth/token`,
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
    });
  });
});

describe("the authorization request of a client", () => {
  it("is shown to a person, with the client and the address that the browser goes to", async () => {
    const agent = await newAgent(gateway);
    expect((await read({ ...agent.asked, scope: "inference offline_access openid" })).body).toMatchObject({
      client: { id: agent.clientId, name: "Test agent", host: null, verified: false },
      redirect_host: "127.0.0.1:7777",
      redirect_kind: "this_device",
      scopes: ["inference"],
      refused_url: null,
      denied_url: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:7777\/callback\?error=access_denied&.*state=the\+state/,
      ),
    });
  });

  it("is refused without a redirect while the redirect address is not verified", async () => {
    const agent = await newAgent(gateway);
    const { redirect_uri: _, ...without } = agent.asked;
    const invalid = refusal(400, "invalid_parameter");
    expect(await read(without)).toMatchObject(invalid);
    for (const redirect_uri of ["https://evil.example/callback", `${callbackUri}/more`, `${callbackUri}?a=1`])
      expect(await read({ ...agent.asked, redirect_uri }), redirect_uri).toMatchObject(invalid);
    expect(await read({ ...agent.asked, client_id: "client_unknown" })).toMatchObject(
      refusal(400, "invalid_client"),
    );
    expect(await read({ redirect_uri: callbackUri })).toMatchObject(refusal(400, "invalid_client"));
  });

  it.each([
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ code_challenge: "" }, "invalid_request"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge_method: "" }, "invalid_request"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ resource: "https://another.example/mcp" }, "invalid_target"],
    [{ scope: "keys operator" }, "invalid_scope"],
  ])("is refused with a redirect to the client: %j", async (change, error) => {
    const agent = await newAgent(gateway);
    const asked = { ...agent.asked, ...change };
    const { body } = await read(asked);
    const refused = new URL(String(body.refused_url));
    expect(refused.origin + refused.pathname).toBe(callbackUri);
    expect(Object.fromEntries(refused.searchParams)).toMatchObject({
      error,
      state: "the state",
      iss: rootOf(gateway),
    });
    expect(await consentTo(gateway, account.session, { ...agent, asked })).toMatchObject(
      refusal(400, "invalid_parameter"),
    );
  });

  it("is read only for signed-in people, within a rate per minute", async () => {
    const agent = await newAgent(gateway);
    expect(await read(agent.asked, account.key)).toMatchObject(refusal(403, "user_session_required"));
    const other = await gateway.createAccount();
    const answers = await Promise.all(Array.from({ length: 70 }, () => read(agent.asked, other.session)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });
});

describe("the body of a token request", () => {
  const post = (body: BodyInit, type: string) =>
    fetch(`${rootOf(gateway)}/oauth/token`, { method: "POST", body, headers: { "content-type": type } });
  const formType = "application/x-www-form-urlencoded";

  it.each([
    ["grant_type=authorization_code&code=a&code=b", formType, 400, "invalid_request"],
    ["grant_type=password", formType, 400, "unsupported_grant_type"],
    ["", formType, 400, "unsupported_grant_type"],
    ["grant_type=authorization_code", formType, 400, "invalid_request"],
    ["__proto__=1&constructor=2&grant_type=refresh_token", formType, 400, "invalid_request"],
    ['{"grant_type":"refresh_token"}', "application/json", 400, "invalid_request"],
    ["a=b", "text/plain", 415, "invalid_request"],
  ])("%s, sent as %s, is refused as the standard requires", async (body, type, status, error) => {
    const response = await post(body, type);
    expect({ status: response.status, ...((await response.json()) as object) }).toMatchObject({
      status,
      error,
    });
  });
});

it("a form that is too large is not read", async () => {
  const answer = await sendForm(gateway, "/oauth/token", { code: "x".repeat(20_000) });
  expect(answer).toMatchObject({ status: 413, body: { error: "invalid_request" } });
});

it("a client learns that its registration is gone", async () => {
  const { body } = await register(gateway);
  const id = String(body.client_id);
  await gateway.context.database.queries.execute(
    sql`update authorization_clients set expires_at = now() - interval '1 second' where id = ${id}`,
  );
  expect(await read(asking(gateway, id).asked)).toMatchObject(refusal(400, "invalid_client"));
});
