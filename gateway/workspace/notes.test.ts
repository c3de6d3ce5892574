import { expect, test } from "vitest";
import { firstIdAt, newId } from "#contract/ids.ts";
import { type Note, noteLimits } from "#contract/notes.ts";
import { webhookHistorySweep } from "#gateway/events/webhooks/retention.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { predictionHistorySweep } from "#gateway/runs/predictions/remove-data.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api", historyDays: 30 }));
const account = shared(() => gateway.createAccount());

const sql = async (text: string, values: unknown[] = []) =>
  (await gateway.context.database.pool.query(text, values)).rows;

async function prediction(id = newId("prediction")): Promise<string> {
  await sql(
    `insert into predictions (id, account_id, model, api_type, svc_region, status, deadline_at, created_at, completed_at,
       data_removed_at)
     values ($1, $2, 'svc/vid-t2v', 'video-generation', 'us-virginia', 'succeeded', now(), now(), now(), now())`,
    [id, account.accountId],
  );
  return `/predictions/${id}`;
}

async function delivery(id = newId("delivery"), eventId = newId("event")): Promise<string> {
  await sql(
    "insert into webhook_events (id, account_id, type, body, payload_expires_at) values ($1, $2, 'prediction.succeeded', null, now())",
    [eventId, account.accountId],
  );
  const endpointId = newId("endpoint");
  await sql(
    "insert into webhook_endpoints (id, account_id, url, events) values ($1, $2, 'https://example.com', '{}')",
    [endpointId, account.accountId],
  );
  await sql(
    `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, status)
     values ($1, $2, $3, $4, 'prediction.succeeded', 'https://example.com', 'delivered')`,
    [id, account.accountId, eventId, endpointId],
  );
  return `/webhooks/deliveries/${id}`;
}

const leave = (subject: string, text: unknown, bearer = account.session, headers = {}) =>
  call(gateway, bearer, "POST", `${subject}/notes`, { text }, headers);
const notesOn = async (subject: string) =>
  (await call(gateway, account.session, "GET", `${subject}/notes`)).body.data as Note[];
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  `${status} ${(body.error as { code?: string } | undefined)?.code}`;

test.each([
  ["a prediction", prediction],
  ["a delivery", delivery],
])(
  "colleagues see a note on %s, its author can change it, and its author or an owner can delete it",
  async (_, make) => {
    const subject = await make();
    const admin = await gateway.addMember(account, "admin");
    const member = await gateway.addMember(account, "member");
    const viewer = await gateway.addMember(account, "viewer");
    const made = await leave(
      subject,
      "  The customer <b>acme</b> called.\nSee https://example.com  ",
      member.session,
    );
    expect(made).toMatchObject({
      status: 201,
      body: {
        object: "note",
        subject_id: subject.split("/").at(-1),
        text: "The customer <b>acme</b> called.\nSee https://example.com",
        made_by: { user: { id: member.userId }, key: null },
        edited_at: null,
      },
    });
    const note = `${subject}/notes/${made.body.id}`;
    const seen = await call(gateway, viewer.session, "GET", `${subject}/notes`);
    expect(seen.body.data).toEqual([made.body]);
    expect(codeOf(await leave(subject, "me too", viewer.session))).toBe("403 role_not_allowed");

    const change = (bearer: string) => call(gateway, bearer, "PATCH", note, { text: "Solved." });
    expect(codeOf(await change(account.session))).toBe("403 note_not_yours");
    const changed = (await change(member.session)).body;
    expect(changed).toMatchObject({ id: made.body.id, text: "Solved.", edited_at: expect.any(String) });
    expect(await notesOn(subject)).toEqual([changed]);

    expect(codeOf(await call(gateway, admin.session, "DELETE", note))).toBe("403 note_not_yours");
    expect((await call(gateway, account.session, "DELETE", note)).status).toBe(200);
    expect(codeOf(await call(gateway, member.session, "DELETE", note))).toBe("404 note_not_found");
    expect(await notesOn(subject)).toEqual([]);
    const audited = await sql("select action, user_id from audit_logs where target_id = $1 order by id", [
      made.body.id,
    ]);
    expect(audited).toEqual([
      { action: "note.created", user_id: member.userId },
      { action: "note.updated", user_id: member.userId },
      { action: "note.deleted", user_id: account.userId },
    ]);
  },
);

test.each([
  ["predictions", prediction],
  ["deliveries", delivery],
])("the list of %s counts the notes on each, of this account only", async (_, make) => {
  const [noted, plain] = [await make(), await make()];
  for (const text of ["one", "two"]) await leave(noted, text);
  const list = noted.slice(0, noted.lastIndexOf("/"));
  const { body } = await call(gateway, account.session, "GET", `${list}?limit=100`);
  const countOn = (subject: string) =>
    (body.data as { id: string; notes?: number }[]).find(({ id }) => subject.endsWith(id))?.notes;
  expect([countOn(noted), countOn(plain)]).toEqual([2, 0]);
});

test("a key can write notes if its scopes allow it; a personal key writes as its member", async () => {
  const [ofPrediction, ofDelivery] = [await prediction(), await delivery()];
  const key = await gateway.createKey(account.accountId, { scopes: ["webhooks"] });
  const other = await gateway.createKey(account.accountId, { scopes: ["webhooks", "predictions"] });
  expect(codeOf(await leave(ofPrediction, "seen", key))).toBe("403 insufficient_scope");
  const made = await leave(ofDelivery, "seen", key);
  expect(made.body.made_by).toMatchObject({ user: null, key: { name: "test" } });
  const note = `${ofDelivery}/notes/${made.body.id}`;
  expect(codeOf(await call(gateway, other, "PATCH", note, { text: "mine" }))).toBe("403 note_not_yours");
  expect(codeOf(await call(gateway, other, "DELETE", note))).toBe("403 note_not_yours");
  expect((await call(gateway, key, "PATCH", note, { text: "seen twice" })).status).toBe(200);

  const member = await gateway.addMember(account, "member");
  const personal = await call(gateway, member.session, "POST", "/keys", { name: "mine" });
  const theirs = await leave(ofPrediction, "by my key", String(personal.body.secret));
  const change = await call(gateway, member.session, "PATCH", `${ofPrediction}/notes/${theirs.body.id}`, {
    text: "by me",
  });
  expect(change.status).toBe(200);
});

test("notes of another account or subject cannot be read or changed", async () => {
  const [subject, other] = [await prediction(), await prediction()];
  const stranger = await gateway.createAccount();
  const { body } = await leave(subject, "ours");
  const ask = (method: string, path: string, bearer: string, sent?: object) =>
    call(gateway, bearer, method, path, sent).then(codeOf);
  const note = `${subject}/notes/${body.id}`;
  expect(await ask("GET", `${subject}/notes`, stranger.session)).toBe("404 prediction_not_found");
  expect(await ask("POST", `${subject}/notes`, stranger.session, { text: "x" })).toBe(
    "404 prediction_not_found",
  );
  expect(await ask("PATCH", note, stranger.session, { text: "x" })).toBe("404 note_not_found");
  expect(await ask("DELETE", note, stranger.session)).toBe("404 note_not_found");
  expect(await ask("DELETE", `${other}/notes/${body.id}`, account.session)).toBe("404 note_not_found");
  expect(await ask("GET", `${await delivery()}/notes`, stranger.session)).toBe("404 delivery_not_found");
  expect(await ask("GET", "/predictions/pred_unknown/notes", account.session)).toBe(
    "404 prediction_not_found",
  );
});

test("a note cannot be empty, too long or a duplicate, and their number is limited", async () => {
  const subject = await delivery();
  for (const text of ["", "  \n ", "x".repeat(noteLimits.textLength + 1), null, "a\u0000b"])
    expect((await leave(subject, text)).status, JSON.stringify(text)?.slice(0, 20)).toBe(400);
  const once = { "idempotency-key": "once" };
  const [one, two] = [
    await leave(subject, "once", undefined, once),
    await leave(subject, "once", undefined, once),
  ];
  expect(two.body.id).toBe(one.body.id);
  const answers = await Promise.all(
    Array.from({ length: noteLimits.perSubject + 2 }, (_, n) => leave(subject, `note ${n}`)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(noteLimits.perSubject - 1);
  expect(codeOf(await leave(subject, "one more"))).toBe("409 too_many_notes");
  const page = await call(gateway, account.session, "GET", `${subject}/notes?limit=20`);
  expect(page.body).toMatchObject({ has_more: true });
  expect(page.body.data).toHaveLength(20);
});

test("notes are deleted with their prediction or delivery", async () => {
  const longAgo = Date.now() - 90 * 86_400_000;
  const old = await prediction(firstIdAt("prediction", longAgo));
  const sent = await delivery(firstIdAt("delivery", longAgo), firstIdAt("event", longAgo));
  const kept = await prediction();
  for (const subject of [old, sent, kept]) expect((await leave(subject, "for history")).status).toBe(201);
  await sql("update predictions set created_at = now() - interval '90 days' where id = $1", [
    old.split("/").at(-1),
  ]);
  await sweepAll(gateway.context, predictionHistorySweep);
  await sweepAll(gateway.context, webhookHistorySweep);
  const left = await sql(
    "select coalesce(prediction_id, delivery_id) as about from notes where text = 'for history'",
  );
  expect(left).toEqual([{ about: kept.split("/").at(-1) }]);
});
