import { expect, test } from "vitest";
import { accountHeader } from "#contract/client-address.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, refusal, sender, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());
const admin = shared(() => gateway.addMember(account, "admin"));

const send = sender(() => gateway);
const member = (userId: string) => `/account/members/${userId}`;
const inAccount = (accountId: string) => ({ [accountHeader]: accountId });

async function roles(): Promise<Record<string, unknown>> {
  const { body } = await send(account.session, "GET", "/account/members");
  return Object.fromEntries((body.data as { id: string; role: string }[]).map(({ id, role }) => [id, role]));
}

test("nobody can give or remove a role above their own, and the refusal names people who can", async () => {
  const other = await gateway.addMember(account, "member");
  const raised = await send(admin.session, "PATCH", member(other.userId), { role: "owner" });
  expect(raised).toMatchObject(refusal(403, "role_not_allowed"));
  const { details } = raised.body.error as { details: { role: string; members: { id: string }[] }[] };
  expect(details.map(({ role }) => role)).toEqual(["owner"]);
  expect(details[0]?.members.map(({ id }) => id)).toEqual([account.userId]);
  for (const [method, body] of [
    ["PATCH", { role: "viewer" }],
    ["DELETE", undefined],
  ] as const)
    expect(await send(admin.session, method, member(account.userId), body)).toMatchObject(
      refusal(403, "role_not_allowed"),
    );
  const invitation = { email: "boss@example.com", role: "owner" };
  expect(await send(admin.session, "POST", "/account/invitations", invitation)).toMatchObject(
    refusal(403, "role_not_allowed"),
  );
  expect(await send(other.session, "PATCH", member(other.userId), { role: "viewer" })).toMatchObject(
    refusal(403, "role_not_allowed"),
  );
  expect(await send(admin.session, "PATCH", member(other.userId), { role: "admin" })).toMatchObject({
    status: 200,
    body: { role: "admin" },
  });
});

test("the last owner stays until the account is handed over", async () => {
  const team = await gateway.createAccount();
  const heir = await gateway.addMember(team, "admin");
  const own = member(team.userId);
  expect(await send(team.session, "DELETE", own)).toMatchObject(refusal(409, "last_owner"));
  expect(await send(team.session, "PATCH", own, { role: "admin" })).toMatchObject(refusal(409, "last_owner"));
  expect((await send(team.session, "PATCH", member(heir.userId), { role: "owner" })).status).toBe(200);
  const leaving = [send(team.session, "DELETE", own), send(heir.session, "DELETE", member(heir.userId))];
  expect((await Promise.all(leaving)).map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("a removed member's session and personal keys end, but everything they made for the account stays", async () => {
  const leaver = await gateway.addMember(account, "admin");
  const personal = await send(leaver.session, "POST", "/keys", { name: "mine", kind: "personal" });
  const service = await send(leaver.session, "POST", "/keys", { name: "ours" });
  expect([personal.body.kind, service.body.kind]).toEqual(["personal", "service"]);
  const invited = await send(leaver.session, "POST", "/account/invitations", {
    email: "backdoor@example.com",
    role: "admin",
  });
  const other = await gateway.addMember(account, "member");
  const reset = await send(leaver.session, "POST", `${member(other.userId)}/reset`);

  expect((await send(admin.session, "DELETE", member(leaver.userId))).status).toBe(200);
  for (const bearer of [leaver.session, String(personal.body.secret)])
    expect(await send(bearer, "GET", "/account")).toMatchObject(refusal(401, "revoked_api_key"));
  expect((await send(String(service.body.secret), "GET", "/account")).status).toBe(200);
  expect(Object.keys(await roles())).not.toContain(leaver.userId);
  const accept = { token: invited.body.token, name: "x", password: "four words apart" };
  expect(await call(gateway, null, "POST", "/account/invitations/accept", accept)).toMatchObject(
    refusal(410, "invitation_expired"),
  );
  const setNew = { token: reset.body.token, password: "four words apart" };
  expect(await call(gateway, null, "POST", "/account/password/reset", setNew)).toMatchObject(
    refusal(410, "reset_expired"),
  );
});

test("a demotion takes effect at once, for the session and for personal keys", async () => {
  const demoted = await gateway.addMember(account, "member");
  const key = String((await send(demoted.session, "POST", "/keys", { name: "mine" })).body.secret);
  for (const bearer of [demoted.session, key]) expect((await send(bearer, "GET", "/keys")).status).toBe(200);
  await send(account.session, "PATCH", member(demoted.userId), { role: "viewer" });
  for (const bearer of [demoted.session, key])
    expect(await send(bearer, "GET", "/keys")).toMatchObject(refusal(403, "role_not_allowed"));
});

test("a member sees and changes only their own keys", async () => {
  const one = await gateway.addMember(account, "member");
  const other = await gateway.addMember(account, "member");
  const mine = await send(one.session, "POST", "/keys", { name: "mine" });
  expect(mine.body).toMatchObject({ kind: "personal", member: { id: one.userId } });
  expect((await send(other.session, "GET", "/keys")).body.data).toEqual([]);
  expect(await send(one.session, "POST", "/keys", { name: "x", kind: "service" })).toMatchObject(
    refusal(403, "role_not_allowed"),
  );
  const path = `/keys/${mine.body.id}`;
  for (const [method, to] of [
    ["DELETE", path],
    ["POST", `${path}/rotate`],
  ] as const)
    expect(await send(other.session, method, to, method === "POST" ? {} : undefined)).toMatchObject(
      refusal(403, "role_not_allowed"),
    );
  // Only its member may rotate its secret.
  expect((await send(admin.session, "POST", `${path}/rotate`, {})).status).toBe(403);
  expect((await send(admin.session, "DELETE", path)).status).toBe(200);
});

test("only members of several accounts can end their own sessions", async () => {
  const second = await gateway.createAccount();
  const both = await gateway.addMember(account, "member");
  await gateway.addMember(second, "member", both);
  const sessions = `${member(both.userId)}/sessions`;
  const own = await send(both.session, "GET", "/account/sessions");
  const [first] = own.body.data as { id: string }[];
  for (const [method, path] of [
    ["GET", sessions],
    ["DELETE", sessions],
    ["DELETE", `/account/sessions/${first?.id}`],
  ] as const)
    expect(await send(second.session, method, path), method).toMatchObject(refusal(409, "member_of_others"));
  const { body } = await send(second.session, "GET", "/account/members");
  const seen = (body.data as { id: string }[]).find(({ id }) => id === both.userId);
  expect(seen).toMatchObject({ has_other_accounts: true, last_seen_at: null });
  expect((await send(both.session, "GET", sessions, undefined, inAccount(second.accountId))).status).toBe(
    200,
  );
  expect((await send(second.session, "DELETE", member(both.userId))).status).toBe(200);
  expect((await send(account.session, "DELETE", sessions)).status).toBe(200);
  expect((await send(both.session, "GET", "/account/profile")).status).toBe(401);
});

test("somebody with several accounts names one per request, and loses only the one that they leave", async () => {
  const second = await gateway.createAccount();
  const both = await gateway.addMember(account, "viewer");
  const again = await gateway.addMember(second, "admin", both);
  expect(again.userId).toBe(both.userId);
  const at = (headers = {}) => send(both.session, "GET", "/account", undefined, headers);
  expect(await at()).toMatchObject(refusal(400, "account_required"));
  expect((await at(inAccount(account.accountId))).body).toMatchObject({
    id: account.accountId,
    role: "viewer",
  });
  expect((await at(inAccount(second.accountId))).body).toMatchObject({ id: second.accountId, role: "admin" });
  expect(await at(inAccount((await gateway.createAccount()).accountId))).toMatchObject(
    refusal(404, "account_not_found"),
  );
  const mine = await send(both.session, "GET", "/accounts");
  expect((mine.body.data as { id: string }[]).map(({ id }) => id)).toEqual([
    account.accountId,
    second.accountId,
  ]);
  // Only an operator can reset the password of somebody who also belongs to other accounts.
  expect(await send(admin.session, "POST", `${member(both.userId)}/reset`)).toMatchObject(
    refusal(409, "member_of_others"),
  );
  expect((await send(admin.session, "DELETE", member(both.userId))).status).toBe(200);
  expect((await at()).body).toMatchObject({ id: second.accountId });
  expect(await at(inAccount(account.accountId))).toMatchObject(refusal(404, "account_not_found"));
});
