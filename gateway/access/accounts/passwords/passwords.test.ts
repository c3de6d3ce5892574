import { expect, test } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { refusal, sender, startTestGateway, testPassword } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());

const send = sender(() => gateway);
const signIn = (email: string, password: string) =>
  send(null, "POST", "/account/sessions", { email, password });
const fresh = "four words apart";

test("changing a password asks for the old one and ends the other sessions", async () => {
  const person = await gateway.addMember(account, "viewer");
  const other = String((await signIn(person.email, testPassword)).body.token);
  const change = (current: string, next: string) =>
    send(person.session, "POST", "/account/password", { current, new: next });
  expect((await change("wrong", fresh)).body.error).toMatchObject({
    code: "invalid_credentials",
    message: "This is not your current password.",
    param: "current",
  });
  for (const weak of [
    "password123",
    "P@ssw0rd1234",
    "Summer2024!",
    "1111111111",
    "abcdefghijkl",
    person.email,
  ])
    expect(await change(testPassword, weak), weak).toMatchObject(refusal(400, "password_too_common"));
  expect((await change(testPassword, fresh)).body).toEqual({ object: "password", sessions_ended: 1 });
  expect((await send(other, "GET", "/account")).status).toBe(401);
  expect((await send(person.session, "GET", "/account")).status).toBe(200);
  expect((await signIn(person.email, testPassword)).status).toBe(401);
  expect((await signIn(person.email, fresh)).status).toBe(201);
});

test("an admin's link sets a new password once, and ends all sessions of its person", async () => {
  const admin = await gateway.addMember(account, "admin");
  const person = await gateway.addMember(account, "member");
  const reset = async () => {
    const { status, body } = await send(admin.session, "POST", `/account/members/${person.userId}/reset`);
    expect(status).toBe(201);
    return String(body.token);
  };
  const replaced = await reset();
  const token = await reset();
  const accept = (value: string) =>
    send(null, "POST", "/account/password/reset", { token: value, password: fresh });
  expect(await accept(replaced)).toMatchObject(refusal(410, "reset_expired"));
  // Before the link is used nothing has changed.
  expect((await send(person.session, "GET", "/account")).status).toBe(200);
  expect((await send(null, "POST", "/account/password/reset/lookup", { token })).body).toMatchObject({
    email: person.email,
    state: "open",
  });
  expect((await accept(token)).status).toBe(200);
  expect(await accept(token)).toMatchObject(refusal(410, "reset_used"));
  expect((await send(person.session, "GET", "/account")).status).toBe(401);
  expect((await signIn(person.email, fresh)).status).toBe(201);

  expect(await send(admin.session, "POST", `/account/members/${account.userId}/reset`)).toMatchObject(
    refusal(403, "role_not_allowed"),
  );
  const { body } = await send(account.session, "GET", "/audit_logs?limit=100");
  const log = (body.data as { action: string; target_id: string }[]).filter(
    ({ target_id }) => target_id === person.userId,
  );
  expect(log.map(({ action }) => action)).toEqual([
    "password.reset",
    "password.reset_link_created",
    "password.reset_link_created",
    "member.joined",
  ]);
});

test("sessions are listed with their device; a person can end one or all others, and a member manager can end them", async () => {
  const person = await gateway.addMember(account, "member");
  const more: string[] = [];
  for (let count = 0; count < 3; count += 1)
    more.push(String((await signIn(person.email, testPassword)).body.token));
  const list = async () =>
    (await send(person.session, "GET", "/account/sessions")).body.data as Record<string, unknown>[];
  const rows = await list();
  expect(rows.map(({ current, method }) => [current, method])).toEqual([
    [false, "password"],
    [false, "password"],
    [false, "password"],
    [true, "invitation"],
  ]);
  expect(rows[0]).toMatchObject({ user_agent: "node", ip: "127.0.0.1" });
  const status = async (bearer = "") => (await send(bearer, "GET", "/account")).status;
  expect((await send(person.session, "DELETE", `/account/sessions/${rows[0]?.id}`)).status).toBe(200);
  expect(await status(more[2])).toBe(401);
  const stranger = await gateway.createAccount();
  expect(await send(stranger.session, "DELETE", `/account/sessions/${rows[1]?.id}`)).toMatchObject(
    refusal(404, "session_not_found"),
  );
  expect((await send(account.session, "DELETE", `/account/sessions/${rows[1]?.id}`)).status).toBe(200);
  expect(await status(more[1])).toBe(401);
  expect((await send(person.session, "DELETE", "/account/sessions")).body).toMatchObject({ ended: 1 });
  expect(await status(more[0])).toBe(401);
  const all = await send(account.session, "DELETE", `/account/members/${person.userId}/sessions`);
  expect(all.body).toMatchObject({ ended: 1 });
  expect(await status(person.session)).toBe(401);
});
