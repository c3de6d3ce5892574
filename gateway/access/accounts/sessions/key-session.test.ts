import { expect, test } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { sender, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

const send = sender(() => gateway);

async function openSession(key: string) {
  const opened = await send(key, "POST", "/account/sessions/key");
  expect(opened.status).toBe(201);
  return opened.body as { id: string; token: string; account: { key: { name: string } } };
}

async function expectRevoked(bearer: string): Promise<void> {
  const answer = await send(bearer, "GET", "/account");
  expect(answer).toMatchObject({ status: 401, body: { error: { code: "revoked_api_key" } } });
}

test("a session of a key has the key's permissions and name", async () => {
  const key = await gateway.createKey(account.accountId, { name: "narrow", scopes: ["uploads"] });
  const session = await openSession(key);
  expect(session.account.key.name).toBe("narrow");
  expect((await send(session.token, "GET", "/account")).body).toEqual(
    (await send(key, "GET", "/account")).body,
  );
  expect((await send(session.token, "GET", "/uploads")).status).toBe(200);
  const refused = await send(session.token, "GET", "/predictions");
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "insufficient_scope" } } });
});

test("a session of a key cannot attest", async () => {
  const { token } = await openSession(account.key);
  const refused = await send(token, "POST", "/account/attestations", {
    kind: "adult",
    statement_version: "1",
    confirmed: true,
  });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "user_session_required" } } });
});

test("signing out ends the session and leaves the key", async () => {
  const { id, token } = await openSession(account.key);
  const ended = await send(token, "DELETE", "/account/sessions/current");
  expect(ended).toMatchObject({ status: 200, body: { id, deleted: true } });
  await expectRevoked(token);
  expect((await send(account.key, "GET", "/account")).status).toBe(200);
});

test("revoking the key ends its sessions", async () => {
  const key = await gateway.createKey(account.accountId);
  const { token } = await openSession(key);
  const id = ((await send(key, "GET", "/account")).body as { key: { id: string } }).key.id;
  expect((await send(account.session, "DELETE", `/keys/${id}`)).status).toBe(200);
  await expectRevoked(token);
});

test("a user or a key's session cannot open a session, and a plain key has no session to end", async () => {
  const { token } = await openSession(account.key);
  for (const bearer of [account.session, token])
    expect((await send(bearer, "POST", "/account/sessions/key")).status).toBe(403);
  expect((await send(account.key, "DELETE", "/account/sessions/current")).status).toBe(403);
});

test("the audit log names the key that signed in", async () => {
  const key = await gateway.createKey(account.accountId, { name: "on the laptop" });
  const { id } = await openSession(key);
  const { data } = (await send(account.session, "GET", "/audit_logs?action=session.created")).body as {
    data: { target_id: string; actor: object }[];
  };
  expect(data.find((row) => row.target_id === id)?.actor).toMatchObject({
    type: "key",
    name: "on the laptop",
  });
});

test("attestations are read with the scope that reads the audit log", async () => {
  const narrow = await gateway.createKey(account.accountId, { scopes: ["inference"] });
  const refused = await send(narrow, "GET", "/account/attestations");
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "insufficient_scope" } } });
  expect((await send(account.key, "GET", "/account/attestations")).status).toBe(200);
  expect((await send(account.session, "GET", "/account/attestations")).status).toBe(200);
});
