import { expect, test } from "vitest";
import { statements } from "#gateway/access/accounts/attestations/gates.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { sender, startTestGateway } from "#gateway/testing/gateway.ts";

const film = {
  model: "svc/adult-vid-1",
  mode: "text-to-video",
  prompt: "Waves roll onto a rocky shore",
  duration: 2,
  resolution: "480P",
  ratio: "16:9",
  audio: false,
};
const attestation = { kind: "adult", statement_version: statements.adult.version, confirmed: true };

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());

const send = sender(() => gateway);
const attest = (bearer: string) => send(bearer, "POST", "/account/attestations", attestation);

interface Listed {
  id: string;
  answered_by: { id: string } | null;
}
const listed = async (query = "") =>
  (await send(account.session, "GET", `/keys?kind=service${query}`)).body.data as Listed[];

/** A service key for which an admin who attested is responsible. */
async function keyOf(name: string) {
  const person = await gateway.addMember(account, "admin");
  await attest(person.session);
  const { body } = await send(person.session, "POST", "/keys", { name });
  return { person, id: String(body.id), secret: String(body.secret) };
}

test("a service key whose responsible person was removed has none until an owner takes it over", async () => {
  const { person, id, secret } = await keyOf("renders");
  expect((await listed()).find((key) => key.id === id)?.answered_by?.id).toBe(person.userId);
  expect((await send(secret, "POST", "/videos", film)).status).toBe(202);

  await send(account.session, "DELETE", `/account/members/${person.userId}`);
  expect((await listed()).find((key) => key.id === id)?.answered_by).toBeNull();
  expect((await listed("&answered_by=none")).map((key) => key.id)).toEqual([id]);
  const refused = await send(secret, "POST", "/videos", film);
  expect(refused.body.error).toMatchObject({ code: "adult_attestation_required" });
  expect(String((refused.body.error as { message: string }).message)).toMatch(
    /^Nobody is responsible for this/,
  );

  // Rejoining does not restore the responsibility for keys.
  await gateway.addMember(account, "admin", person);
  await expect.poll(async () => (await send(secret, "POST", "/videos", film)).status).toBe(403);

  const taken = await send(account.session, "PATCH", `/keys/${id}`, { answered_by: account.userId });
  expect(taken.body).toMatchObject({ answered_by: { id: account.userId } });
  const { message } = (await send(secret, "POST", "/videos", film)).body.error as { message: string };
  expect(message).toContain("who is responsible for this service key, must confirm");
  await attest(account.session);
  expect((await send(secret, "POST", "/videos", film)).status).toBe(202);
  expect(await listed("&answered_by=none")).toEqual([]);
});

test("a service key has no responsible person once that person's role no longer allows it", async () => {
  const { person, id } = await keyOf("uploads");
  await send(account.session, "PATCH", `/account/members/${person.userId}`, { role: "member" });
  expect((await listed("&answered_by=none")).map((key) => key.id)).toEqual([id]);
  const { body } = await send(account.session, "GET", "/account/members");
  const members = body.data as { id: string; answers_for: unknown[] }[];
  expect(members.find((member) => member.id === person.userId)?.answers_for).toEqual([]);
  await send(account.session, "PATCH", `/account/members/${person.userId}`, { role: "admin" });
  expect((await listed()).find((key) => key.id === id)?.answered_by).toBeNull();
  // A revoked key needs nobody responsible.
  await send(account.session, "DELETE", `/keys/${id}`);
  expect(await listed("&answered_by=none")).toEqual([]);
});
