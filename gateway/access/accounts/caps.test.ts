import { expect, it, vi } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { refusal, sender, startTestGateway } from "#gateway/testing/gateway.ts";

/** Low, so that the next request is allowed only after a third of a minute. */
const accountRequestsPerMinute = 3;
const streamsPerKey = 3;

const gateway = shared(() =>
  startTestGateway({
    role: "api",
    accountRequestsPerMinute,
    streamsPerKey,
    keysPerAccount: 3,
    endpointsPerAccount: 2,
    invitationsPerAccount: 2,
  }),
);
const account = shared(() => gateway.createAccount());
const send = sender(() => gateway);
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();
const times = <Result>(count: number, work: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

it("an account has a limited number of active keys, even when they are created at the same time", async () => {
  const make = () => send(account.session, "POST", "/keys", { name: "one more" });
  const made = await times(5, make);
  // The account already has one key.
  expect(statuses(made)).toEqual([201, 201, 409, 409, 409]);
  expect(await make()).toMatchObject(refusal(409, "too_many_keys"));
  const { id } = made.find(({ status }) => status === 201)?.body ?? {};
  expect((await send(account.session, "DELETE", `/keys/${id}`)).status).toBe(200);
  expect((await make()).status).toBe(201);
});

it("an account has a limited number of endpoints", async () => {
  const make = (at: number) =>
    send(account.session, "POST", "/webhooks/endpoints", { url: `https://example.com/hook-${at}` });
  const made = await times(4, make);
  expect(statuses(made)).toEqual([201, 201, 409, 409]);
  expect(await make(9)).toMatchObject(refusal(409, "too_many_endpoints"));
  const { id } = made.find(({ status }) => status === 201)?.body ?? {};
  expect((await send(account.session, "DELETE", `/webhooks/endpoints/${id}`)).status).toBe(200);
  expect((await make(9)).status).toBe(201);
});

it("an account has a limited number of open invitations; inviting the same address again does not count twice", async () => {
  const invite = (name: string) =>
    send(account.session, "POST", "/account/invitations", { email: `${name}@example.com`, role: "viewer" });
  for (const name of ["first", "second", "second"]) expect((await invite(name)).status).toBe(201);
  expect(await invite("third")).toMatchObject(refusal(409, "too_many_invitations"));
  const { body } = await send(account.session, "GET", "/account/invitations");
  const [{ id }] = body.data as [{ id: string }];
  const renew = () => send(account.session, "POST", `/account/invitations/${id}/renew`);
  expect((await renew()).status).toBe(200);
  expect((await send(account.session, "DELETE", `/account/invitations/${id}`)).status).toBe(200);
  expect((await invite("third")).status).toBe(201);
  expect(await renew()).toMatchObject(refusal(409, "too_many_invitations"));
});

it("a key has a limited number of open streams, and may open another when one has ended", async () => {
  const open = async (bearer: string) => {
    const stop = new AbortController();
    const { status } = await fetch(`${gateway.url}/webhooks/listen`, {
      headers: { authorization: `Bearer ${bearer}` },
      signal: stop.signal,
    });
    return { status, stop };
  };
  const streams = await times(streamsPerKey + 2, () => open(account.key));
  expect(statuses(streams)).toEqual([200, 200, 200, 429, 429]);
  expect((await open(account.session)).status).toBe(200);
  streams.find(({ status }) => status === 200)?.stop.abort();
  await vi.waitFor(async () => expect((await open(account.key)).status).toBe(200));
});

it("an account has one rate limit for all its keys, and a refused request does not use up its key's rate", async () => {
  const own = await gateway.createAccount();
  const keys = [own.key, await gateway.createKey(own.accountId), own.session];
  const chat = (bearer = "") =>
    send(bearer, "POST", "/chat/completions", {
      model: "svc/chat-1",
      messages: [{ role: "user", content: "Hello" }],
    });
  const answers = await times(9, (at) => chat(keys[at % 3]));
  expect(statuses(answers)).toEqual([200, 200, 200, 429, 429, 429, 429, 429, 429]);
  const refused = await chat(keys[0]);
  expect(refused).toMatchObject(refusal(429, "rate_limit_exceeded"));
  expect((refused.body.error as { message: string }).message).toContain("all its keys together");
  expect((await chat(account.key)).status).toBe(200);
});
