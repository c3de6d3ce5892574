import { beforeAll, expect, test } from "vitest";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { refusal, sender } from "#gateway/testing/gateway.ts";
import { startMailScene } from "../testing/mail-scene.ts";

const scene = shared(startMailScene);
const operator = shared(() => scene.gateway.createAccount());
const stranger = shared(() => scene.gateway.createAccount());
beforeAll(async () => {
  const { pool } = scene.gateway.context.database;
  await pool.query("update users set is_operator = (id = $1)", [operator.userId]);
});

const send = sender(() => scene.gateway);
const add = (bearer: string, path: string, more: object = {}) =>
  send(bearer, "POST", path, {
    name: "on call",
    template: "json",
    url: `${scene.receiver.url}/${bearer === operator.session ? "operators" : "account"}`,
    ...more,
  });

test("operators' incoming webhooks get the installation's notices, and accounts' do not", async () => {
  // A session's permissions are cached for a moment.
  await expect.poll(async () => (await send(operator.session, "GET", "/operator/mail")).status).toBe(200);
  const made = await add(operator.session, "/operator/notice_hooks");
  expect(made).toMatchObject({ status: 201, body: { last_sent_at: null } });
  expect(made.body.causes).toContain("store.full");
  expect((await add(stranger.session, "/notices/hooks")).status).toBe(201);
  await scene.gateway.context.database.transaction(async (queries) => {
    const at = { accountId: null, userId: stranger.userId };
    const data = { ip: "192.0.2.1", device: "", at: "2026-11-24T12:00:00Z" };
    await recordCause(queries, { ...at, cause: "sign_in.new_place", subjectId: "ses_one", data });
    await recordCause(queries, {
      cause: "provider.unhealthy",
      accountId: null,
      subjectId: "only",
      data: { model: "svc/chat-1", provider: "only", region: "us-virginia", message: "HTTP 500" },
    });
  });
  const { path, body } = await scene.receiver.next(() => true);
  expect([path, JSON.parse(body)]).toMatchObject([
    "/operators",
    {
      account: null,
      data: [{ cause: "provider.unhealthy", url: "https://console.example.com/operator/health" }],
    },
  ]);
  await expect
    .poll(async () => (await send(operator.session, "GET", "/operator/notice_hooks")).body.data)
    .toMatchObject([{ last_sent_at: expect.any(String), last_error: null }]);
  const { rows } = await scene.gateway.context.database.pool.query(
    "select count(*)::int as count from notice_messages where hook_id is not null",
  );
  expect(rows).toEqual([{ count: 1 }]);
});

test("only operators can test, change and delete the operators' incoming webhooks", async () => {
  const { body } = await add(operator.session, "/operator/notice_hooks", { template: "slack" });
  const one = `/operator/notice_hooks/${body.id}`;
  expect((await send(operator.session, "POST", `${one}/test`)).body).toMatchObject({ sent: true });
  const { body: posted } = await scene.receiver.next(({ body: text }) => text.includes("This is a test"));
  expect(posted).toContain("console.example.com");
  expect((await send(operator.session, "PATCH", one, { causes: ["store.full"] })).body).toMatchObject({
    causes: ["store.full"],
  });
  expect(await send(operator.session, "PATCH", one, { causes: ["member.joined"] })).toMatchObject(
    refusal(400, "invalid_parameter"),
  );
  expect(await send(stranger.session, "DELETE", one)).toMatchObject(refusal(403, "operator_required"));
  for (const bearer of [operator.session, stranger.session])
    expect(await send(bearer, "DELETE", `/notices/hooks/${body.id}`)).toMatchObject(
      refusal(404, "notice_hook_not_found"),
    );
  const own = (await send(stranger.session, "GET", "/notices/hooks")).body.data as { id: string }[];
  expect(await send(operator.session, "DELETE", `/operator/notice_hooks/${own[0]?.id}`)).toMatchObject(
    refusal(404, "notice_hook_not_found"),
  );
  expect((await send(operator.session, "DELETE", one)).body).toMatchObject({ deleted: true });
  const many = await Promise.all(
    Array.from({ length: 22 }, () => add(operator.session, "/operator/notice_hooks")),
  );
  expect(many.filter(({ status }) => status === 201)).toHaveLength(19);
  expect(many.find(({ status }) => status !== 201)).toMatchObject(refusal(409, "too_many_notice_hooks"));
});
