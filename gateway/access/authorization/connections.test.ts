import { describe, expect, it } from "vitest";
import { callTool, connect, consentTo, newAgent, refreshWith } from "#gateway/testing/agent.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, refusal, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());
const member = shared(() => gateway.addMember(account, "member"));

const adultModel = "svc/img-adult";
const dayMs = 86_400_000;
const works = async (token: string) => (await callTool(gateway, token, "search_models", {})).status === 200;
const run = (token: string, model: string, input: object) =>
  callTool(gateway, token, "run", { model, input, wait_seconds: 0 });
const hello = { messages: [{ role: "user", content: "hello" }] };
const actions = async (action: string) =>
  (await call(gateway, account.session, "GET", `/audit_logs?action=${action}`)).body.data as Record<
    string,
    unknown
  >[];

/** A model that requires an attestation. */
function gatedModel(needs: "adult_attestation_required" | "per_request_person_rights_confirmation_required") {
  const { data } = gateway.context.catalog.list({}, account.accountId);
  const found = data.find(
    ({ safety_requirements: safety }) =>
      safety[needs] &&
      (needs !== "adult_attestation_required" || !safety.per_request_person_rights_confirmation_required),
  );
  return found?.id ?? adultModel;
}

describe("a person consents", () => {
  it("to scopes, models, a budget and an expiry; the connection is a personal key, and is listed separately", async () => {
    const limits = {
      scopes: ["inference" as const],
      models: ["svc/chat-1"],
      monthly_budget: { token: 1_000 },
      budgets: [{ amount: "5", period: "month" as const, hard: true }],
    };
    const { id, accessToken, agent } = await connect(gateway, member.session, limits);
    const { body } = await call(gateway, member.session, "GET", `/connections/${id}`);
    expect(body).toMatchObject({
      client: { id: agent.clientId, name: "Test agent", verified: false },
      member: { id: member.userId },
      ...limits,
      revoked_at: null,
    });
    const { body: list } = await call(gateway, account.session, "GET", "/connections");
    expect((list.data as { id: string }[]).map((one) => one.id)).toContain(id);
    const { body: keys } = await call(gateway, account.session, "GET", "/keys");
    expect((keys.data as { id: string }[]).map((one) => one.id)).not.toContain(id);
    expect(JSON.stringify(body)).not.toContain(accessToken);
    const [entry] = await actions("connection.created");
    expect(entry).toMatchObject({
      target_id: id,
      actor: { id: member.userId },
      detail: { client_id: agent.clientId },
    });
  });

  it("to no more than the client asked for", async () => {
    const agent = await newAgent(gateway);
    const asked = { ...agent.asked, scope: "inference" };
    expect(
      await consentTo(gateway, account.session, { ...agent, asked }, { scopes: ["uploads"] }),
    ).toMatchObject(refusal(400, "invalid_parameter"));
  });

  it("to an expiry within a year, and only to existing models", async () => {
    const agent = await newAgent(gateway);
    const at = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
    for (const expires_at of [at(-1), at(400)])
      expect(await consentTo(gateway, account.session, agent, { expires_at })).toMatchObject(
        refusal(400, "invalid_parameter"),
      );
    expect(await consentTo(gateway, account.session, agent, { models: ["svc/none"] })).toMatchObject(
      refusal(400, "invalid_parameter"),
    );
  });

  it("in person: a key cannot consent, and neither can a role that may not run models", async () => {
    const agent = await newAgent(gateway);
    expect(await consentTo(gateway, account.key, agent)).toMatchObject(refusal(403, "user_session_required"));
    const viewer = await gateway.addMember(account, "viewer");
    expect(await consentTo(gateway, viewer.session, agent)).toMatchObject(refusal(403, "role_not_allowed"));
  });

  it("to a gated model only with their own attestation, and the agent can run it only while that is active", async () => {
    const model = gatedModel("adult_attestation_required");
    const owner = await gateway.createAccount();
    const agent = await newAgent(gateway);
    const refused = await consentTo(gateway, owner.session, agent, { models: [model] });
    expect(refused).toMatchObject(refusal(403, "adult_attestation_required"));
    await gateway.attest(owner, "adult", "portrait_rights");
    const unnamed = await connect(gateway, owner.session);
    const { operations = [] } = gateway.context.catalog.model(model, owner.accountId) ?? {};
    const { model: _, ...input } = (operations[0]?.example ?? {}) as Record<string, unknown>;
    expect((await run(unnamed.accessToken, model, input)).text).toContain("needs an attestation");
    const named = await connect(gateway, owner.session, { models: [model] });
    expect((await run(named.accessToken, model, input)).text).not.toContain("needs an attestation");
    await call(gateway, owner.session, "DELETE", "/account/attestations/adult");
    expect((await run(named.accessToken, model, input)).text).toContain("adult");
  });

  it("never to a model whose every run a person must confirm", async () => {
    const model = gatedModel("per_request_person_rights_confirmation_required");
    const owner = await gateway.createAccount();
    await gateway.attest(owner, "adult", "portrait_rights");
    expect(
      await consentTo(gateway, owner.session, await newAgent(gateway), { models: [model] }),
    ).toMatchObject(refusal(403, "person_rights_confirmation_required"));
  });
});

describe("an agent", () => {
  it("runs only the models that it was given", async () => {
    const { accessToken } = await connect(gateway, member.session, {
      models: ["svc/chat-1"],
      scopes: ["inference"],
    });
    expect((await run(accessToken, "svc/chat-1", hello)).text).toContain('"status":"succeeded"');
    expect((await run(accessToken, "svc/chat-2", hello)).text).toMatch(
      /model_not_allowed|not allowed|limited/i,
    );
    expect(
      (await callTool(gateway, accessToken, "upload_link", { content_type: "image/png", size_bytes: 10 }))
        .text,
    ).toContain("uploads");
  });

  it("cannot use its token for anything but the tools", async () => {
    const { accessToken } = await connect(gateway, account.session);
    const tries: [string, string, object?][] = [
      ["GET", "/account"],
      ["GET", "/models"],
      ["GET", "/keys"],
      ["POST", "/keys", { name: "mine" }],
      ["POST", "/chat/completions", { model: "svc/chat-1", ...hello }],
      ["POST", "/account/attestations", { kind: "adult", statement_version: "1", confirmed: true }],
      ["POST", "/account/sessions/key"],
      ["POST", "/authorization/consents", {}],
    ];
    for (const [method, path, body] of tries)
      expect(await call(gateway, accessToken, method, path, body), path).toMatchObject(
        refusal(401, "invalid_api_key"),
      );
    const claimed = await call(gateway, accessToken, "GET", "/keys", undefined, { "x-svc-inner": "true" });
    expect(claimed.status).toBe(401);
  });

  it("cannot give confirmations that only a person may give", async () => {
    const { accessToken } = await connect(gateway, account.session);
    const input = { ...hello, person_rights_confirmed: true };
    expect((await run(accessToken, "svc/chat-1", input)).text).toContain("cannot confirm");
  });

  it("cannot raise its own budget, or run after it is spent", async () => {
    const { id, accessToken } = await connect(gateway, member.session, { monthly_budget: { token: 1 } });
    await expect
      .poll(async () => (await run(accessToken, "svc/chat-1", hello)).text)
      .toContain("budget_exceeded");
    const raise = { monthly_budget: null };
    for (const bearer of [accessToken, account.key])
      for (const path of [`/connections/${id}`, `/keys/${id}`])
        expect((await call(gateway, bearer, "PATCH", path, raise)).status, path).toBeGreaterThanOrEqual(401);
    expect((await call(gateway, account.key, "POST", `/keys/${id}/rotate`, {})).status).toBe(404);
    expect((await run(accessToken, "svc/chat-1", hello)).text).toContain("budget_exceeded");
    expect((await call(gateway, member.session, "PATCH", `/connections/${id}`, raise)).status).toBe(200);
    await expect.poll(async () => (await run(accessToken, "svc/chat-1", hello)).text).toContain("succeeded");
  });

  it("cannot reach any other account, not even one of the same person", async () => {
    const person = await gateway.addMember(account, "member");
    const { accessToken, id } = await connect(gateway, person.session);
    const other = await gateway.createAccount();
    await gateway.addMember(other, "owner", person);
    const elsewhere = { "x-svc-account": other.accountId };
    expect((await callTool(gateway, accessToken, "search_models", {}, elsewhere)).text).toContain(
      "account_not_found",
    );
    const mine = await gateway.createAccount();
    for (const method of ["GET", "DELETE"])
      expect((await call(gateway, mine.session, method, `/connections/${id}`)).status).toBe(404);
    expect((await call(gateway, mine.session, "GET", "/connections")).body.data).toEqual([]);
  });
});

describe("a connection", () => {
  it("can be seen and ended by its member and by members who manage keys, and by nobody else", async () => {
    const { id } = await connect(gateway, member.session);
    const stranger = await gateway.addMember(account, "member");
    expect((await call(gateway, stranger.session, "GET", `/connections/${id}`)).status).toBe(404);
    expect((await call(gateway, stranger.session, "DELETE", `/connections/${id}`)).status).toBe(403);
    expect((await call(gateway, account.session, "DELETE", `/connections/${id}`)).status).toBe(200);
  });

  it("that has ended accepts and issues no tokens", async () => {
    const connection = await connect(gateway, member.session);
    expect(await works(connection.accessToken)).toBe(true);
    await call(gateway, member.session, "DELETE", `/connections/${connection.id}`);
    expect(await works(connection.accessToken)).toBe(false);
    const { body } = await refreshWith(gateway, connection, connection.refreshToken);
    expect(body.error).toBe("invalid_grant");
    expect((await actions("connection.revoked"))[0]).toMatchObject({ target_id: connection.id });
  });

  it("ends with its member", async () => {
    const person = await gateway.addMember(account, "member");
    const connection = await connect(gateway, person.session);
    expect(await works(connection.accessToken)).toBe(true);
    await call(gateway, account.session, "DELETE", `/account/members/${person.userId}`);
    expect(await works(connection.accessToken)).toBe(false);
    expect((await refreshWith(gateway, connection, connection.refreshToken)).body.error).toBe(
      "invalid_grant",
    );
  });

  it("can get another expiry from its person, which also applies to its tokens", async () => {
    const connection = await connect(gateway, member.session);
    const soon = new Date(Date.now() + 5_000).toISOString();
    const { body } = await call(gateway, member.session, "PATCH", `/connections/${connection.id}`, {
      expires_at: soon,
    });
    expect(body.expires_at).toBe(soon);
    const [entry] = await actions("connection.updated");
    expect(entry).toMatchObject({ target_id: connection.id, detail: { expires_at: soon } });
    await expect.poll(() => works(connection.accessToken)).toBe(false);
    expect((await refreshWith(gateway, connection, connection.refreshToken)).body.error).toBe(
      "invalid_grant",
    );
  });
});
