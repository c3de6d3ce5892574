import { expect, test } from "vitest";
import { statements } from "#gateway/access/accounts/attestations/gates.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway, testPassword } from "#gateway/testing/gateway.ts";
import { advance } from "./advance.ts";
import { findPrediction } from "./read.ts";

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

// Without workers: runs are accepted and wait.
const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());
const admin = shared(() => gateway.addMember(account, "admin"));

const send = (bearer: string, method: string, path: string, body?: unknown) =>
  call(gateway, bearer, method, path, body);
const attest = (bearer: string) => send(bearer, "POST", "/account/attestations", attestation);
const withdraw = (bearer: string) => send(bearer, "DELETE", "/account/attestations/adult");
const run = (bearer: string) => send(bearer, "POST", "/videos", film);
const closed = { status: 403, body: { error: { code: "adult_attestation_required" } } };

async function makeKey(bearer: string, kind: string) {
  const { body } = await send(bearer, "POST", "/keys", { name: kind, kind });
  return { id: String(body.id), secret: String(body.secret) };
}

/** The result of a worker's first step with an accepted run: a failure code, or "open". */
async function handOver(id: unknown): Promise<string> {
  const { context } = gateway;
  const row = await findPrediction(context, account.accountId, String(id));
  await advance(context, row, { signal: new AbortController().signal, isSoleHolder: () => undefined });
  const now = await findPrediction(context, account.accountId, String(id));
  return now.error?.code ?? "open";
}

test("an attestation is withdrawn by its kind or by the id that its creation returned", async () => {
  const person = await gateway.addMember(account, "admin");
  const { body } = await attest(person.session);
  const path = `/account/attestations/${body.id}`;
  const stranger = await gateway.createAccount();
  expect((await send(stranger.session, "DELETE", path)).status).toBe(404);
  expect(await send(person.session, "DELETE", path)).toMatchObject({ status: 200, body: { id: body.id } });
  expect((await send(person.session, "DELETE", path)).status).toBe(404);
});

test("a statement is recorded with the language in which it was confirmed, and the log says so", async () => {
  const person = await gateway.addMember(account, "admin");
  const { body: list } = await send(person.session, "GET", "/account/attestations");
  const [adult] = list.statements as {
    version: string;
    translations: Record<string, { statement: string }>;
  }[];
  const chinese = adult?.translations["zh-CN"]?.statement;
  expect(chinese).toMatch(/18 周岁/);
  expect((await attest(person.session)).body).toMatchObject({
    language: "en",
    statement: statements.adult.statement,
  });
  const made = await send(person.session, "POST", "/account/attestations", {
    ...attestation,
    language: "zh-CN",
  });
  expect(made).toMatchObject({
    status: 201,
    body: { language: "zh-CN", statement: chinese, statement_version: adult?.version },
  });
  const { body: log } = await send(person.session, "GET", "/audit_logs?action=attestation.created&limit=1");
  expect(log.data).toMatchObject([{ detail: { kind: "adult", language: "zh-CN" } }]);
});

test("a member and their personal keys use the member's attestation, and nobody else can", async () => {
  const person = await gateway.addMember(account, "member");
  const key = await makeKey(person.session, "personal");
  expect((await attest(account.session)).status).toBe(201);
  for (const bearer of [person.session, key.secret]) expect(await run(bearer)).toMatchObject(closed);
  await attest(person.session);
  for (const bearer of [person.session, key.secret]) expect((await run(bearer)).status).toBe(202);
  expect(await run(admin.session)).toMatchObject(closed);

  const early = (await run(key.secret)).body.id;
  expect((await withdraw(person.session)).status).toBe(200);
  expect(await handOver(early)).toBe("adult_attestation_required");
  expect(await run(person.session)).toMatchObject(closed);
  // The owner's attestation is still valid.
  expect((await run(account.session)).status).toBe(202);
});

test("a service key uses its responsible person's attestation until they withdraw it, are demoted or leave", async () => {
  await attest(account.session);
  await attest(admin.session);
  // A key made on the command line: the owner is responsible.
  expect((await run(account.key)).status).toBe(202);
  const key = await makeKey(admin.session, "service");
  const [first, second, third] = [await run(key.secret), await run(key.secret), await run(key.secret)];
  expect([first.status, second.status, third.status]).toEqual([202, 202, 202]);
  const { standing } = (await send(account.session, "GET", "/account/attestations")).body as {
    standing: { user: { id: string }; service_keys: { id: string }[] }[];
  };
  expect(standing.find(({ user }) => user.id === admin.userId)?.service_keys.map(({ id }) => id)).toEqual([
    key.id,
  ]);

  await withdraw(admin.session);
  expect(await handOver(first.body.id)).toBe("adult_attestation_required");
  await attest(admin.session);
  const path = `/account/members/${admin.userId}`;
  await send(account.session, "PATCH", path, { role: "member" });
  expect(await run(key.secret)).toMatchObject(closed);
  expect(await handOver(second.body.id)).toBe("adult_attestation_required");
  expect((await run(admin.session)).status).toBe(202);

  // A person who has attested can take over; one who has not cannot be named.
  const fresh = await gateway.addMember(account, "admin");
  const answer = (answered_by: string) => send(account.session, "PATCH", `/keys/${key.id}`, { answered_by });
  for (const id of [fresh.userId, admin.userId])
    expect(await answer(id)).toMatchObject({ status: 400, body: { error: { param: "answered_by" } } });
  expect((await answer(account.userId)).body).toMatchObject({ answered_by: { id: account.userId } });
  expect((await run(key.secret)).status).toBe(202);
  expect(await handOver(third.body.id)).toBe("open");
});

test("lists show who made each item, and can be filtered by it", async () => {
  const person = await gateway.addMember(account, "member");
  const key = await makeKey(person.session, "personal");
  const upload = { content_type: "image/png", size_bytes: 10 };
  const order = { model: "svc/vid-t2v", prompt: "a pine", duration: 5 };
  for (const bearer of [person.session, key.secret, account.key])
    for (const [path, body] of [
      ["/uploads", upload],
      ["/videos", order],
    ] as const)
      expect((await send(bearer, "POST", path, body)).status).toBeLessThan(300);
  for (const path of ["/predictions", "/uploads"]) {
    const read = async (query: string) =>
      (await send(account.session, "GET", `${path}?${query}`)).body.data as { made_by: unknown }[];
    expect(await read(`user_id=${person.userId}`), path).toHaveLength(2);
    const [made, ...others] = await read(`key_id=${key.id}`);
    expect(others).toEqual([]);
    expect(made?.made_by).toMatchObject({
      user: { id: person.userId },
      key: { id: key.id, name: "personal" },
    });
  }
  const rows = (await send(account.session, "GET", `/audit_logs?user_id=${person.userId}`)).body.data as {
    action: string;
  }[];
  expect(rows.map(({ action }) => action)).toEqual(["key.created", "session.created", "member.joined"]);
});

test("without extensions people still sign in and attest, and everything else follows the specification", async () => {
  const bare = await startTestGateway({ role: "api", extensions: false });
  try {
    const owner = await bare.createAccount();
    const ask = (bearer: string | null, method: string, path: string, body?: unknown) =>
      call(bare, bearer, method, path, body);
    expect((await ask(owner.key, "POST", "/videos", film)).body).toMatchObject(closed.body);
    const signedIn = await ask(null, "POST", "/account/sessions", {
      email: owner.email,
      password: testPassword,
    });
    expect(signedIn.status).toBe(201);
    const session = String(signedIn.body.token);
    expect((await ask(session, "GET", "/account")).body).toMatchObject({ extensions: false });
    expect((await ask(session, "POST", "/account/attestations", attestation)).status).toBe(201);
    // The owner is responsible for the key.
    for (const bearer of [session, owner.key])
      expect((await ask(bearer, "POST", "/videos", film)).status).toBe(202);
    expect((await ask(session, "DELETE", "/account/attestations/adult")).status).toBe(200);
    expect((await ask(owner.key, "POST", "/videos", film)).status).toBe(403);
    for (const path of ["/predictions", "/outputs", "/batches", "/account/members", "/usage", "/events"])
      expect((await ask(session, "GET", path)).body.error, path).toMatchObject({ code: "route_not_found" });
    expect((await ask(session, "DELETE", "/account/sessions/current")).status).toBe(200);
  } finally {
    await bare.close();
  }
});
