import { beforeAll, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";

let account: TestAccount;
// Without workers, so a prediction changes only when the test changes it.
const gateway = shared(() => startTestGateway({ role: "api" }));
beforeAll(async () => {
  account = await gateway.createAccount();
});

/** A waiting prediction and the stream of its events, after the first event. */
async function follow(bearer: string) {
  const input = { model: "svc/vid-t2v", prompt: "waves at dusk", duration: 2 };
  const { body } = await call(gateway, account.key, "POST", "/videos", input);
  const id = String(body.id);
  const response = await fetch(`${gateway.url}/predictions/${id}/events`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader?.read();
  expect(first?.value).toContain('"status":"starting"');
  const rest = async (): Promise<string> => {
    let text = "";
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) text += step.value;
    return text;
  };
  return { id, rest: rest() };
}

async function cancel(id: string): Promise<void> {
  expect((await call(gateway, account.key, "POST", `/predictions/${id}/cancel`)).status).toBe(200);
}

it("sends the prediction's final state, then ends", async () => {
  const { id, rest } = await follow(account.key);
  await cancel(id);
  expect(await rest).toContain('"status":"canceled"');
});

it("ends when its key is revoked, before anything more is sent", async () => {
  const { body } = await call(gateway, account.session, "POST", "/keys", { name: "follower" });
  const { id, rest } = await follow(String(body.secret));
  await call(gateway, account.session, "DELETE", `/keys/${String(body.id)}`);
  await cancel(id);
  expect(await rest).not.toContain("canceled");
});

it("ends when its user signs out", async () => {
  const { session } = await gateway.createAccount();
  const own = account;
  account = { ...account, key: session };
  const { rest } = await follow(session);
  account = own;
  await call(gateway, session, "DELETE", "/account/sessions/current");
  expect(await rest).toBe("");
});

it("ends when its key expires", async () => {
  const expires_at = new Date(Date.now() + 5_000).toISOString();
  const { rest } = await follow(await gateway.createKey(account.accountId, { expires_at }));
  expect(await rest).not.toContain("event: prediction");
  expect(Date.now()).toBeLessThan(Date.parse(expires_at) + 5_000);
});
