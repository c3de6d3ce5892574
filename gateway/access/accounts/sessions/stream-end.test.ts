import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());

/** Opens the stream; `rest`: everything after its first bytes. */
async function follow(bearer: string): Promise<{ status: number; rest: Promise<string> }> {
  const { status, body } = await fetch(`${gateway.url}/account/sessions/current/events`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  reader.releaseLock();
  return { status, rest: text(body as ReadableStream<Uint8Array>) };
}

it("reports that a session has ended: signed out, ended by the person elsewhere, or by a colleague", async () => {
  const signedOut = await follow(account.session);
  const person = await gateway.addMember(account, "member");
  const removed = await follow(person.session);
  expect([signedOut.status, removed.status]).toEqual([200, 200]);
  await call(gateway, account.session, "DELETE", `/account/members/${person.userId}`);
  expect(await removed.rest).toContain("event: ended");
  await call(gateway, account.session, "DELETE", "/account/sessions/current");
  expect(await signedOut.rest).toContain("event: ended");
  expect((await call(gateway, account.session, "GET", "/account/sessions/current/events")).status).toBe(401);
});

it('ends without the event "ended" when the process ends', async () => {
  const other = await startTestGateway({ role: "api" });
  const { session } = await other.createAccount();
  const answer = await fetch(`${other.url}/account/sessions/current/events`, {
    headers: { authorization: `Bearer ${session}` },
  });
  expect(answer.status).toBe(200);
  await other.close();
  expect(await answer.text()).not.toContain("ended");
});
