import { expect, test } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { refusal, sender, startTestGateway, testPassword } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());

const send = sender(() => gateway);

let made = 0;
async function invite(address?: string) {
  made += 1;
  const email = address ?? `new-${made}@example.com`;
  const { body } = await send(account.session, "POST", "/account/invitations", { email, role: "member" });
  return { id: String(body.id), token: String(body.token), url: String(body.url), email };
}
const accept = (
  token: string,
  rest: object = { name: "New", password: testPassword, language: "zh-CN" },
  bearer: string | null = null,
) => send(bearer, "POST", "/account/invitations/accept", { token, ...rest });
const lookUp = (token: string) => send(null, "POST", "/account/invitations/lookup", { token });
async function stateInList(id: string) {
  const { body } = await send(account.session, "GET", "/account/invitations?limit=100");
  return (body.data as { id: string; state: string }[]).find((row) => row.id === id)?.state;
}
const age = (id: string) =>
  gateway.context.database.pool.query(
    "update invitations set expires_at = now() - interval '1 minute' where id = $1",
    [id],
  );

test("a link makes a new person a member once, and explains afterwards that it was used", async () => {
  const { id, token, url, email } = await invite("New@Example.com");
  expect(url).toContain(`/invite#${token}`);
  expect((await lookUp(token)).body).toMatchObject({
    email: "new@example.com",
    role: "member",
    state: "open",
  });
  expect(await accept(token, { name: "New" })).toMatchObject(refusal(400, "missing_parameter"));
  const common = { name: "New", password: "Password123!" };
  expect(await accept(token, common)).toMatchObject(refusal(400, "password_too_common"));
  const [first, second] = await Promise.all([accept(token), accept(token)]);
  expect([first.status, second.status].sort()).not.toEqual([201, 201]);
  const joined = first.status === 201 ? first : second;
  expect(joined.body).toMatchObject({
    object: "session",
    account: {
      id: account.accountId,
      role: "member",
      user: { email: email.toLowerCase(), language: "zh-CN" },
    },
  });
  expect((await send(String(joined.body.token), "GET", "/account")).status).toBe(200);
  expect(await accept(token)).toMatchObject(refusal(410, "invitation_used"));
  expect((await lookUp(token)).body).toMatchObject({ state: "accepted" });
  expect(await stateInList(id)).toBe("accepted");
  const { rows } = await gateway.context.database.pool.query("select * from invitations where id = $1", [id]);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test("an expired, withdrawn or replaced link changes nothing", async () => {
  const expired = await invite();
  await age(expired.id);
  expect(await accept(expired.token)).toMatchObject(refusal(410, "invitation_expired"));
  expect(await stateInList(expired.id)).toBe("expired");
  const renewed = await send(account.session, "POST", `/account/invitations/${expired.id}/renew`);
  expect(renewed.body).toMatchObject({ id: expired.id, state: "open" });
  expect(await accept(expired.token)).toMatchObject(refusal(410, "invitation_expired"));
  expect((await accept(String(renewed.body.token))).status).toBe(201);
  expect(await send(account.session, "POST", `/account/invitations/${expired.id}/renew`)).toMatchObject(
    refusal(410, "invitation_used"),
  );

  const withdrawn = await invite();
  expect((await send(account.session, "DELETE", `/account/invitations/${withdrawn.id}`)).status).toBe(200);
  expect(await accept(withdrawn.token)).toMatchObject(refusal(410, "invitation_expired"));
  expect(await stateInList(withdrawn.id)).toBe("revoked");
  expect(await accept(`${withdrawn.token.slice(0, -1)}`)).toMatchObject(refusal(410, "invitation_expired"));
  expect(await accept("nothing")).toMatchObject(refusal(404, "invitation_not_found"));

  const twice = await invite();
  const again = await invite(twice.email);
  expect((await accept(twice.token)).body.error).toMatchObject({
    code: "invitation_expired",
    message: expect.stringContaining("replaced by a newer one"),
  });
  expect((await lookUp(twice.token)).body).toMatchObject({ state: "replaced" });
  expect(await stateInList(twice.id)).toBe("replaced");
  expect((await accept(again.token)).status).toBe(201);
});

test("somebody with an account joins with their password or session, which stay as they are", async () => {
  const known = await gateway.createAccount();
  const first = await invite(known.email);
  expect(await accept(first.token, { name: "Thief", password: "a password of my own" })).toMatchObject(
    refusal(409, "email_taken"),
  );
  const stranger = await gateway.createAccount();
  expect(await accept(first.token, {}, stranger.session)).toMatchObject(
    refusal(403, "invitation_not_for_you"),
  );
  expect((await accept(first.token, { password: testPassword })).body).toMatchObject({
    account: { id: account.accountId },
    accounts: [
      { id: known.accountId, role: "owner" },
      { id: account.accountId, role: "member" },
    ],
  });
  const signIn = { email: known.email, password: testPassword };
  expect((await send(null, "POST", "/account/sessions", signIn)).status).toBe(201);
  expect(
    await send(account.session, "POST", "/account/invitations", { email: known.email, role: "viewer" }),
  ).toMatchObject(refusal(409, "member_exists"));
  const second = await invite(stranger.email);
  expect((await accept(second.token, {}, stranger.session)).status).toBe(201);
});

test("a link does not reveal whether its address has a user, until somebody joins", async () => {
  const known = await gateway.createAccount();
  const [toKnown, toNobody] = [await invite(known.email), await invite()];
  const tries = [
    (token: string) => lookUp(token),
    (token: string) => accept(token, {}),
    (token: string) => accept(token, { password: "not the right one" }),
    (token: string) => accept(token, { name: "New", password: "password123" }),
    (token: string) => accept(token, {}, account.session),
  ];
  for (const ask of tries) {
    const [one, other] = [await ask(toKnown.token), await ask(toNobody.token)];
    expect(one.status).toBe(other.status);
    expect((one.body.error as { code: string } | undefined)?.code).toEqual(
      (other.body.error as { code: string } | undefined)?.code,
    );
    expect(Object.keys(one.body)).toEqual(Object.keys(other.body));
    expect(one.body).not.toHaveProperty("has_user");
  }
});

test("an invitation accepts only an address that cannot be confused with another", async () => {
  const asked = async (email: string) =>
    send(account.session, "POST", "/account/invitations", { email, role: "member" });
  expect((await asked("  Ｍaya@Example.com. ")).body).toMatchObject({ email: "maya@example.com" });
  for (const email of ["ma\u200bya@example.com", "m\u0430ya@example.com", "a@b", '"<script>"@example.com'])
    expect(await asked(email), email).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_parameter", param: "email" } },
    });
});

test("links can be tried only a limited number of times from one address", async () => {
  const tries = await Promise.all(Array.from({ length: 60 }, () => lookUp("guess")));
  expect(tries.some(({ status }) => status === 429)).toBe(true);
});
