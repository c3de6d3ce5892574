import { expect, test } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const speech = { model: "svc/tts-b-1", input: "hello" };

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());

const speak = async (bearer: string) => {
  const { status, body } = await call(gateway, bearer, "POST", "/audio/speech", speech);
  return { status, body };
};

test("a member's budget covers their session and all their personal keys, and nothing else", async () => {
  const person = await gateway.addMember(account, "member");
  const other = await gateway.addMember(account, "member");
  const makeKey = async (limits: object = {}) => {
    const made = { name: "mine", ...limits };
    return String((await call(gateway, person.session, "POST", "/keys", made)).body.secret);
  };
  const [key, narrow] = [await makeKey(), await makeKey({ monthly_budget: { character: 5 } })];
  const path = `/account/members/${person.userId}`;
  const budget = { monthly_budget: { character: 17 } };
  expect((await call(gateway, account.session, "PATCH", path, budget)).status).toBe(200);

  expect((await speak(narrow)).status).toBe(200);
  const ofKey = await speak(narrow);
  expect(ofKey.body.error).toMatchObject({
    code: "budget_exceeded",
    message: expect.stringMatching(/^This key/),
  });
  const answers = await Promise.all([person.session, key, person.session, key].map(speak));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 402, 402]);
  const refused = answers.find(({ status }) => status === 402);
  expect(refused?.body.error).toMatchObject({
    code: "budget_exceeded",
    message: expect.stringMatching(/^This member has used \d+ of their 17 characters/),
  });
  expect((await speak(other.session)).status).toBe(200);
  expect((await speak(account.key)).status).toBe(200);

  const members = (await call(gateway, account.session, "GET", "/account/members")).body.data as object[];
  expect(members).toContainEqual(
    expect.objectContaining({ user_id: person.userId, used_this_month: { character: 15 } }),
  );
});

test("a member sees only their own usage; a caller who sees all usage can ask for theirs", async () => {
  const person = await gateway.addMember(account, "member");
  await speak(person.session);
  const read = async (bearer: string, query = "") =>
    (await call(gateway, bearer, "GET", `/usage${query}`)).body.data as { user_id: string | null }[];
  const people = async (bearer: string, query?: string) =>
    new Set((await read(bearer, query)).map(({ user_id: id }) => id));
  expect(await people(person.session)).toEqual(new Set([person.userId]));
  expect((await people(account.session)).size).toBeGreaterThan(1);
  expect(await people(account.session, `?user_id=${person.userId}`)).toEqual(new Set([person.userId]));
});
