import { beforeAll, expect, onTestFinished, test } from "vitest";
import { newId } from "#contract/ids.ts";
import type { Notice, NoticeList } from "#contract/notices.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { inArray } from "#gateway/platform/database/drizzle.ts";
import { notices, webhookEndpoints } from "#gateway/platform/database/schema.ts";
import { type NewCause, recordCause } from "#gateway/platform/outbox/outbox.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { refusal, sender, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";
import type { Receiver } from "#gateway/testing/receiver.ts";
import { startMailScene } from "./testing/mail-scene.ts";
import type { MailServer } from "./testing/mail-server.ts";
import { recordExpiringKeys, recordExpiringOutputs } from "./watch.ts";

let gateway: TestGateway;
let mailServer: MailServer;
let receiver: Receiver;
const scene = shared(startMailScene);
beforeAll(async () => {
  ({ gateway, mailServer, receiver } = scene);
});

const send = sender(() => gateway);
const record = (cause: NewCause) =>
  gateway.context.database.transaction((queries) => recordCause(queries, cause));
const list = async (bearer: string, query = "") =>
  (await send(bearer, "GET", `/notices${query}`)).body as unknown as NoticeList;
const line = async (bearer: string, check: (notice: Notice) => boolean) => {
  let found: Notice | undefined;
  await expect.poll(async () => (found = (await list(bearer)).data.find(check))).toBeDefined();
  return found as Notice;
};
const failing = ({ accountId }: TestAccount, id = "we_one", data: NewCause["data"] = {}): NewCause => ({
  cause: "endpoint.failing",
  accountId,
  subjectId: id,
  data: { url: "https://hooks.example.com/secret-path", failures: 4, ...data },
});
const mailsTo = (email: string) => scene.mailsTo(email);
/** Simulates that an hour has passed. */
const anHourLater = () =>
  gateway.context.database.pool.query(
    `update notice_messages set due_at = due_at - interval '61 minutes', next_attempt_at = next_attempt_at - interval '61 minutes'`,
  );

test("repeats of one cause make one line with a count, one e-mail at once, and a digest for the rest of the hour", async () => {
  const account = await gateway.createAccount();
  await record(failing(account));
  const first = await mailServer.next(({ to }) => to.includes(account.email));
  expect(first).toMatchObject({
    from: "gatehouse@example.com",
    subject: "Webhook endpoint hooks.example.com is failing (Account 1)",
  });
  expect(first.text).toContain(
    `https://console.example.com/a/${account.accountId}/webhooks/endpoints/we_one`,
  );
  expect(first.html).toContain(
    `href="https://console.example.com/a/${account.accountId}/webhooks/endpoints/we_one"`,
  );
  for (let times = 0; times < 3; times += 1) await record(failing(account));
  await record(failing(account, "we_two"));
  const one = await line(account.session, ({ subject_id: id, count }) => id === "we_one" && count === 4);
  expect(one).toMatchObject({ cause: "endpoint.failing", read_at: null, path: "/webhooks/endpoints/we_one" });
  await line(account.session, ({ subject_id: id }) => id === "we_two");
  expect((await list(account.session, "?unread=true")).unread).toBe(2);
  // The first cause does not delay another kind of cause.
  await record({ ...failing(account), cause: "endpoint.disabled" });
  await mailServer.next(({ to, subject }) => to.includes(account.email) && subject.includes("was disabled"));
  expect(mailsTo(account.email)).toHaveLength(2);

  await anHourLater();
  const digest = await mailServer.next(
    ({ to, subject }) => to.includes(account.email) && /^2 notices/.test(subject),
  );
  expect(digest.text).toContain("hooks.example.com is failing (3 times)");
  expect(digest.text).toContain("/webhooks/endpoints/we_two");
  expect(mailsTo(account.email)).toHaveLength(3);
});

test("unread notices with the same cause and reason are one line, which shows what a retry of all would send", async () => {
  const account = await gateway.createAccount();
  const gaveUp = (id: string, error: string): NewCause => ({
    ...failing(account, id, { error }),
    cause: "delivery.exhausted",
  });
  for (const id of ["we_a", "we_b", "we_b", "we_c"]) await record(gaveUp(id, "dns_error"));
  await record(gaveUp("we_d", "tls_error"));
  await record({ ...failing(account, "key_1", { name: "backend" }), cause: "key.expiring" });
  await record({ ...failing(account, "key_2", { name: "shop" }), cause: "key.expiring" });
  await expect.poll(async () => (await list(account.session)).data).toHaveLength(6);
  const grouped = async () => (await list(account.session, "?grouped=true&limit=1")).groups;
  const groups = await grouped();
  const found = groups?.find(({ notices }) => notices === 3);
  expect(groups?.map(({ title }) => title).sort()).toEqual([
    "1 event could not be delivered to hooks.example.com/secret-path",
    "4 events did not reach 3 endpoints: host not found",
    "Key backend expires soon",
    "Key shop expires soon",
  ]);
  expect(found).toMatchObject({
    path: "/webhooks/deliveries?status=dead-letter&error_code=dns_error",
    retry: { status: "dead-letter", retried: false, error_code: "dns_error" },
  });
  const read = { up_to: found?.newest_id, group: found?.key };
  expect((await send(account.session, "POST", "/notices/read_all", read)).body).toMatchObject({ read: 3 });
  expect(await grouped()).toHaveLength(3);
  expect((await list(account.session, "?read=true")).data).toHaveLength(3);
});

test("three hundred dead endpoints are one line, whatever their reasons are", async () => {
  const account = await gateway.createAccount();
  const reasons = ["dns_error", "tls_error", "timeout", "http_5xx"];
  await gateway.context.database.queries.insert(notices).values(
    Array.from({ length: 300 }, (_, at) => ({
      ...{ id: newId("notice"), recipient: account.userId, userId: account.userId },
      ...{ accountId: account.accountId, cause: "delivery.exhausted" as const, subjectId: `we_${at}` },
      ...{
        groupKey: `dead ${at}`,
        data: { url: "https://dead.example.com/in", error: reasons[at % 4] ?? "" },
      },
    })),
  );
  const grouped = async () => (await list(account.session, "?grouped=true&limit=1")).groups ?? [];
  const groups = await grouped();
  expect(groups.map(({ title, notices: count }) => [title, count])).toEqual([
    ["300 events did not reach 300 endpoints", 300],
  ]);
  expect(groups[0]?.retry).toEqual({ status: "dead-letter", retried: false });
  const read = { up_to: groups[0]?.newest_id, group: groups[0]?.key };
  expect((await send(account.session, "POST", "/notices/read_all", read)).body).toMatchObject({ read: 300 });
  expect(await grouped()).toEqual([]);
});

test("a read notice is read in every list, and a new cause starts a new line", async () => {
  const account = await gateway.createAccount();
  await record(failing(account));
  const { id } = await line(account.session, () => true);
  const other = await gateway.createAccount();
  expect(await send(other.session, "POST", `/notices/${id}/read`)).toMatchObject(
    refusal(404, "notice_not_found"),
  );
  expect((await send(account.session, "POST", `/notices/${id}/read`)).body).toMatchObject({
    read_at: expect.any(String),
  });
  expect(await list(account.session, "?unread=true")).toMatchObject({ data: [], unread: 0 });
  await record(failing(account));
  await record({ ...failing(account), cause: "endpoint.recovered" });
  await line(account.session, ({ cause }) => cause === "endpoint.recovered");
  const [newest, before] = (await list(account.session, "?unread=true")).data;
  const upTo = String(before?.id);
  expect((await send(account.session, "POST", "/notices/read_all", { up_to: upTo })).body).toMatchObject({
    read: 1,
  });
  expect((await list(account.session, "?unread=true")).data).toMatchObject([{ id: newest?.id }]);
  expect((await send(account.session, "POST", "/notices/read_all", {})).body).toMatchObject({ read: 1 });
  expect(await list(account.session, "?cause=endpoint.failing")).toMatchObject({
    data: [{ count: 1 }, { id }],
  });
  expect(await send(account.session, "GET", "/notices?colour=red")).toMatchObject(
    refusal(400, "invalid_parameter"),
  );
});

test("each role gets the notices that concern it, and each person those about themselves", async () => {
  const account = await gateway.createAccount();
  const people = {
    admin: await gateway.addMember(account, "admin"),
    member: await gateway.addMember(account, "member"),
    viewer: await gateway.addMember(account, "viewer"),
    billing: await gateway.addMember(account, "billing"),
  };
  const { accountId } = account;
  await record({
    cause: "budget.threshold",
    accountId,
    userId: people.member.userId,
    data: { percent: 80, name: "Ada", spent: "16", amount: "20", currency: "USD" },
  });
  await record(failing(account));
  await record({ cause: "provider.key_refused", accountId: null, subjectId: "up", data: { provider: "up" } });
  await record({
    cause: "batch.finished",
    accountId,
    userId: people.member.userId,
    subjectId: "batch_1",
    data: { name: "b" },
  });
  await line(people.member.session, ({ cause }) => cause === "batch.finished");
  const heard = async (session: string) =>
    [...new Set((await list(session, "?limit=100")).data.map(({ cause }) => cause))].sort();
  expect(await heard(people.viewer.session)).toEqual([]);
  expect(await heard(people.billing.session)).toEqual(["budget.threshold"]);
  expect(await heard(people.member.session)).toEqual(["batch.finished", "budget.threshold"]);
  expect(await heard(people.admin.session)).toEqual([
    "budget.threshold",
    "endpoint.failing",
    "member.joined",
  ]);
  // The account's keys with the scope for reading the audit log read the account's own copy.
  expect(await heard(account.key)).toEqual([
    "batch.finished",
    "budget.threshold",
    "endpoint.failing",
    "member.joined",
  ]);
  const narrow = await gateway.createKey(accountId, { scopes: ["inference"] });
  expect(await send(narrow, "GET", "/notices")).toMatchObject(refusal(403, "insufficient_scope"));
  // A former admin no longer sees the admins' notices.
  await send(account.session, "PATCH", `/account/members/${people.admin.userId}`, { role: "viewer" });
  expect(await heard(people.admin.session)).toEqual([]);
});

test("a new member, an ended key and a withdrawn attestation are also events for webhooks", async () => {
  const account = await gateway.createAccount();
  const member = await gateway.addMember(account, "member");
  const data = { name: "Website", hint: "gh_…1", expires_at: new Date().toISOString() };
  await record({ cause: "key.expiring", accountId: account.accountId, subjectId: "key_1", data });
  await gateway.attest(account, "adult");
  await send(account.session, "DELETE", "/account/attestations/adult");
  const told = async () => {
    const { body } = await send(account.key, "GET", "/events");
    return (body.data as { type: string; data: { object: object } }[]).map(({ type, data }) => [
      type,
      data.object,
    ]);
  };
  await expect.poll(told).toEqual([
    [
      "member.joined",
      { object: "member.joined", id: member.userId, name: expect.stringMatching(/^member/), role: "member" },
    ],
    ["key.expiring", { object: "key.expiring", id: "key_1", user_id: null, ...data }],
    [
      "attestation.withdrawn",
      expect.objectContaining({ object: "attestation.withdrawn", kind: "adult", id: expect.any(String) }),
    ],
  ]);
});

test("people choose their notices and how they arrive; an unknown cause, or one of another role, is refused", async () => {
  const account = await gateway.createAccount();
  const viewer = await gateway.addMember(account, "viewer");
  const choose = (session: string, choices: object) =>
    send(session, "PATCH", "/notices/preferences", { choices });
  const { body } = await send(account.session, "GET", "/notices/preferences");
  expect(body).toMatchObject({ email: { address: account.email, available: true } });
  expect(body.data).toContainEqual({
    cause: "outputs.expiring",
    console: false,
    email: false,
    is_default: true,
  });
  await choose(account.session, {
    "endpoint.failing": { console: false, email: false },
    "endpoint.recovered": { console: true, email: false },
  });
  await record(failing(account));
  await record({ ...failing(account), cause: "endpoint.recovered" });
  await record({ ...failing(account), cause: "endpoint.disabled" });
  await mailServer.next(({ to, subject }) => to.includes(account.email) && subject.includes("disabled"));
  const causes = (await list(account.session)).data.map(({ cause }) => cause);
  expect(causes).not.toContain("endpoint.failing");
  expect(causes).toContain("endpoint.recovered");
  expect(mailsTo(account.email)).toHaveLength(1);
  for (const choices of [
    { "endpoint.failing": { console: true, email: true } },
    { "no.such": { console: true, email: true } },
    { ["__proto__"]: { console: true, email: true } },
    { "batch.finished": { console: "yes", email: true } },
    { "batch.finished": { console: true, email: true, sms: true } },
    {},
  ])
    expect((await choose(viewer.session, choices)).status, JSON.stringify(choices)).toBe(400);
  expect(await send(account.key, "GET", "/notices/preferences")).toMatchObject(
    refusal(403, "user_session_required"),
  );
});

test("a name with line breaks, markup or mentions is text in the mail's subject and body and in each chat", async () => {
  const account = await gateway.createAccount();
  const nasty = `Eve\r\nBcc: all@example.com\u202e <b onclick="x">&*@everyone* <!channel>`;
  const hooks = ["slack", "discord", "teams", "json"];
  for (const template of hooks)
    expect(
      await send(account.session, "POST", "/notices/hooks", {
        name: template,
        template,
        url: `${receiver.url}/${account.accountId}/${template}`,
        causes: ["attestation.withdrawn"],
      }),
    ).toMatchObject({ status: 201 });
  await record({
    cause: "attestation.withdrawn",
    accountId: account.accountId,
    subjectId: "atst_1",
    data: { name: nasty, kind: "adult" },
  });
  const mail = await mailServer.next(({ to }) => to.includes(account.email));
  expect(mail.to).toEqual([account.email]);
  expect(mail.headers.has("bcc")).toBe(false);
  expect(mail.subject).toContain('Eve Bcc: all@example.com <b onclick="x">');
  expect(mail.text).toContain('<b onclick="x">&*@everyone*');
  expect(mail.html).toContain("&lt;b onclick=&quot;x&quot;&gt;&amp;*@everyone* &lt;!channel&gt;");
  expect(mail.html).not.toContain("<b onclick");
  const got = async (template: string) =>
    JSON.parse((await receiver.next(({ path: at }) => at === `/${account.accountId}/${template}`)).body);
  const url = `https://console.example.com/a/${account.accountId}/attestations`;
  const slack = (await got("slack")).text;
  expect(slack).toContain(`*<${url}|Eve Bcc: all@example.com &lt;b onclick="x"&gt;&amp;`);
  expect(slack).not.toContain("<!channel>");
  expect(await got("discord")).toMatchObject({
    allowed_mentions: { parse: [] },
    embeds: [{ url, title: expect.stringContaining("\\*\\@everyone\\*") }],
  });
  expect(JSON.stringify(await got("teams"))).toContain('"type":"TextRun","text":"Eve Bcc: all@example.com');
  expect(await got("json")).toMatchObject({
    object: "notice_message",
    account: { id: account.accountId },
    data: [{ object: "notice", cause: "attestation.withdrawn", url, subject_id: "atst_1" }],
  });
});

test("the address of an incoming webhook is a secret, checked and bounded", async () => {
  const account = await gateway.createAccount();
  const member = await gateway.addMember(account, "member");
  const add = (bearer: string, more: object = {}) =>
    send(bearer, "POST", "/notices/hooks", {
      name: "ops",
      template: "slack",
      url: `${receiver.url}/secret-of-slack`,
      ...more,
    });
  expect(await add(member.session)).toMatchObject(refusal(403, "role_not_allowed"));
  for (const url of [
    "http://hooks.slack.com/x",
    "https://10.0.0.1/x",
    "https://u:p@example.com/",
    "https://localhost/x",
    "ftp:x",
  ])
    expect(await add(account.session, { url }), url).toMatchObject(refusal(400, "invalid_webhook_url"));
  for (const more of [
    { template: "sms" },
    { causes: ["provider.key_refused"] },
    { causes: [] },
    { name: " " },
    { to: 1 },
  ])
    expect((await add(account.session, more)).status, JSON.stringify(more)).toBe(400);
  const { body } = await add(account.session);
  expect(body).toMatchObject({ url_hint: `127.0.0.1:${receiver.port}/…lack`, last_error: null });
  const { rows } = await gateway.context.database.pool.query(
    `select h::text as row from notice_hooks h union all select a::text from audit_logs a`,
  );
  expect(
    JSON.stringify([
      body,
      rows,
      gateway.logLines,
      (await send(account.session, "GET", "/notices/hooks")).body,
    ]),
  ).not.toContain("secret-of-slack");
  expect((await send(account.session, "POST", `/notices/hooks/${body.id}/test`)).body).toMatchObject({
    sent: true,
  });
  receiver.answer((_received, response) => response.writeHead(404).end("no_team <script>"));
  expect((await send(account.session, "POST", `/notices/hooks/${body.id}/test`)).body).toMatchObject({
    sent: false,
    error: "Answered 404: no_team <script>",
  });
  receiver.answer((_received, response) => response.writeHead(204).end());
  const other = await gateway.createAccount();
  for (const [method, suffix] of [
    ["PATCH", ""],
    ["DELETE", ""],
    ["POST", "/test"],
  ] as const)
    expect(
      await send(
        other.session,
        method,
        `/notices/hooks/${body.id}${suffix}`,
        method === "PATCH" ? { name: "x" } : undefined,
      ),
    ).toMatchObject(refusal(404, "notice_hook_not_found"));
  const rest = await Promise.all(Array.from({ length: 25 }, () => add(account.session)));
  expect(rest.filter(({ status }) => status === 201)).toHaveLength(19);
  expect(rest.find(({ status }) => status !== 201)).toMatchObject(refusal(409, "too_many_notice_hooks"));
  expect((await send(account.session, "DELETE", `/notices/hooks/${body.id}`)).body).toMatchObject({
    deleted: true,
  });
});

test("a notice that cannot be sent is retried a few times, then the console shows the failure", async () => {
  const account = await gateway.createAccount();
  await send(account.session, "PATCH", "/notices/preferences", {
    choices: { "endpoint.failing": { console: false, email: true } },
  });
  mailServer.refuse({ code: 451, message: "Come back later" });
  await record(failing(account));
  const waiting = () =>
    gateway.context.database.pool.query(
      `select status, attempts, error, next_attempt_at > now() + interval '50 seconds' as later from notice_messages where user_id = $1`,
      [account.userId],
    );
  await expect
    .poll(async () => (await waiting()).rows)
    .toEqual([
      { status: "pending", attempts: 1, error: expect.stringContaining("Come back later"), later: true },
    ]);
  expect((await list(account.session)).data).toEqual([]);
  mailServer.refuse({ code: 550, message: "No such user" });
  await gateway.context.database.pool.query(
    `update notice_messages set next_attempt_at = now() where user_id = $1`,
    [account.userId],
  );
  const shown = await line(account.session, () => true);
  expect(shown).toMatchObject({
    cause: "endpoint.failing",
    email_error: expect.stringContaining("No such user"),
  });
  mailServer.refuse(null);
});

test("a key's expiry is announced once a week before and once a day before", async () => {
  const account = await gateway.createAccount();
  const { database } = gateway.context;
  await gateway.createKey(account.accountId, { name: "nightly" });
  await database.pool.query(
    `update api_keys set expires_at = now() + interval '6 days', created_at = now() - interval '30 days' where name = 'nightly' and account_id = $1`,
    [account.accountId],
  );
  for (let times = 0; times < 2; times += 1) await recordExpiringKeys(gateway.context);
  expect(await line(account.session, ({ cause }) => cause === "key.expiring")).toMatchObject({
    count: 1,
    title: "Key nightly expires soon",
  });
  await database.pool.query(
    `update api_keys set expires_at = expires_at - interval '5 days 12 hours' where name = 'nightly' and account_id = $1`,
    [account.accountId],
  );
  await recordExpiringKeys(gateway.context);
  await line(account.session, ({ cause, count }) => cause === "key.expiring" && count === 2);
});

test("people who asked for it are notified an hour before outputs are removed", async () => {
  const account = await gateway.createAccount();
  const other = await gateway.createAccount();
  for (const { key, accountId } of [account, other]) {
    const { status } = await send(key, "POST", "/videos", {
      model: "svc/vid-t2v",
      prompt: "waves at dusk",
      duration: 2,
    });
    expect(status).toBe(202);
    await gateway.context.database.pool.query(
      `update predictions set status = 'succeeded', completed_at = now(), expires_at = now() + interval '55 minutes' where account_id = $1`,
      [accountId],
    );
  }
  await send(account.session, "PATCH", "/notices/preferences", {
    choices: { "outputs.expiring": { console: true, email: true } },
  });
  for (let times = 0; times < 2; times += 1) await recordExpiringOutputs(gateway.context);
  expect(await line(account.session, ({ cause }) => cause === "outputs.expiring")).toMatchObject({
    count: 1,
    title: "Outputs of 1 prediction will be removed soon",
  });
  await mailServer.next(
    ({ to, subject }) => to.includes(account.email) && subject.startsWith("Outputs of 1 prediction"),
  );
  expect((await list(other.key, "?cause=outputs.expiring")).data).toEqual([]);
});

test("nobody is notified before an output's removal if the output is kept", async () => {
  const account = await gateway.createAccount();
  const ids: string[] = [];
  for (const prompt of ["a kept kite", "a kite"]) {
    const input = { prompt, quality: "low", size: "1024x1024", output_format: "png" };
    const { body } = await send(account.key, "POST", "/images/generations", {
      model: "svc/img-gen-b",
      ...input,
    });
    const id = String(body.id);
    await expect
      .poll(async () => (await send(account.key, "GET", `/predictions/${id}`)).body.status)
      .toBe("succeeded");
    ids.push(id);
  }
  const { body: made } = await send(account.key, "GET", `/outputs?prediction_id=${ids[0]}`);
  const [output] = made.data as { id: string }[];
  expect((await send(account.key, "POST", `/outputs/${output?.id}/keep`, {})).status).toBe(200);
  await gateway.context.database.pool.query(
    `update predictions set expires_at = now() + interval '55 minutes' where account_id = $1`,
    [account.accountId],
  );
  await send(account.session, "PATCH", "/notices/preferences", {
    choices: { "outputs.expiring": { console: true, email: false } },
  });
  await recordExpiringOutputs(gateway.context);
  expect(await line(account.session, ({ cause }) => cause === "outputs.expiring")).toMatchObject({
    title: "Outputs of 1 prediction will be removed soon",
  });
});

test("a message whose process died is sent by another, once its lease has ended", async () => {
  const account = await gateway.createAccount();
  const { database } = gateway.context;
  await database.pool.query(
    `insert into notice_messages (id, kind, address, recipient, status, data, attempts, lease_owner, lease_expires_at)
     values ('ntm_dead', 'email_changed', $1, $1, 'pending', '{"to": "new@example.com"}', 0, 'dead:1', now() + interval '3 seconds')`,
    [account.email],
  );
  await mailServer.next(({ to }) => to.includes(account.email));
  expect(
    (
      await database.pool.query(
        `select lease_expires_at from notice_messages where id = 'ntm_dead' and lease_expires_at > now() + interval '60 seconds'`,
      )
    ).rows,
  ).toEqual([]);
  await expect
    .poll(
      async () =>
        (await database.pool.query(`select status, attempts from notice_messages where id = 'ntm_dead'`))
          .rows,
    )
    .toEqual([{ status: "sent", attempts: 1 }]);
  expect(mailsTo(account.email)).toHaveLength(1);
});

test("an event about an endpoint, a delivery or a budget stores its notice in the same transaction", async () => {
  const account = await gateway.createAccount();
  const member = await gateway.addMember(account, "member");
  const { pool } = gateway.context.database;
  const event = (id: string, type: string, object: object) =>
    pool.query(
      `insert into webhook_events (id, account_id, type, body, payload_expires_at) values ($1, $2, $3, $4, now() + interval '1 day')`,
      [`evt_${id.padEnd(26, "0")}`, account.accountId, type, JSON.stringify({ data: { object } })],
    );
  const endpoint = { id: "we_dead", url: "https://dead.example.com/secret-path", consecutive_failures: 5 };
  await event("a", "endpoint.failing", endpoint);
  await event("b", "endpoint.disabled", { ...endpoint, disabled_reason: "gone" });
  const delivery = { id: "dlv_1", endpoint_id: "we_dead", url: endpoint.url, last_error: "http_5xx" };
  await event("c", "delivery.exhausted", delivery);
  await event("d", "delivery.exhausted", { ...delivery, id: "dlv_2" });
  const holder = { type: "member", id: member.userId, name: "Ada" };
  await event("e", "budget.threshold", { share: 80, holder, amount: "20", currency: "USD", spent: "16.01" });
  await event("f", "prediction.succeeded", { id: "pred_1" });
  const titles = async (session: string) =>
    (await list(session)).data
      .filter(({ cause }) => cause !== "member.joined")
      .map(({ title }) => title)
      .sort();
  await expect
    .poll(() => titles(account.session))
    .toEqual([
      "2 events could not be delivered to dead.example.com/secret-path",
      "80 % of the budget of Ada is used",
      "Webhook endpoint dead.example.com/secret-path is failing",
      "Webhook endpoint dead.example.com/secret-path was disabled",
    ]);
  expect(await titles(member.session)).toEqual([
    "2 events could not be delivered to dead.example.com/secret-path",
    "80 % of the budget of Ada is used",
  ]);
  await mailServer.next(({ to, subject }) => to.includes(account.email) && subject.includes("was disabled"));
  expect(JSON.stringify(scene.mailsTo(account.email))).not.toContain("secret-path");
});

test("an operator sees whether e-mail works and sends a test", async () => {
  const account = await gateway.createAccount();
  await gateway.context.database.pool.query(`update users set is_operator = true where id = $1`, [
    account.userId,
  ]);
  gateway.context.credentials.forget(account.userId);
  await expect.poll(async () => (await send(account.session, "GET", "/operator/mail")).status).toBe(200);
  expect((await send(account.session, "GET", "/operator/mail")).body).toMatchObject({
    configured: true,
    server: `localhost:${mailServer.port}`,
    security: "starttls",
    failed_24h: expect.any(Number),
  });
  expect((await send(account.session, "POST", "/operator/mail/test", {})).body).toMatchObject({
    sent: true,
    error: null,
  });
  await mailServer.next(
    ({ to, subject }) => to.includes(account.email) && subject === "Test e-mail from Gatehouse",
  );
  expect(
    (await send(account.session, "POST", "/operator/mail/test", { to: "other@example.org" })).body,
  ).toMatchObject({ sent: true });
  expect(
    await send(account.session, "POST", "/operator/mail/test", { to: "a@b.c\r\nBcc: d@e.f" }),
  ).toMatchObject(refusal(400, "invalid_parameter"));
  await record({
    cause: "provider.key_refused",
    accountId: null,
    subjectId: "up",
    data: { provider: "up", region: "eu", message: "no" },
  });
  await line(account.session, ({ cause }) => cause === "provider.key_refused");
});

test("a sign-in from a new address notifies its person", async () => {
  const account = await gateway.createAccount();
  const { recordNewPlace } = await import("#gateway/access/accounts/sessions/open.ts");
  const at = (ip: string) =>
    gateway.context.database.transaction((queries) =>
      recordNewPlace(queries, account.userId, "password", { ip, userAgent: "Firefox\n" }),
    );
  await at("127.0.0.1");
  await at("203.0.113.9");
  const told = await mailServer.next(({ to }) => to.includes(account.email));
  expect(told.text).toContain("From 203.0.113.9 with Firefox");
  expect((await list(account.session)).data).toMatchObject([
    { cause: "sign_in.new_place", account_id: null, count: 1 },
  ]);
});

test("a mass failure is one message with the count and three names, without endpoints that have recovered", async () => {
  const account = await gateway.createAccount();
  const { pool } = gateway.context.database;
  for (const template of ["slack", "json"])
    await send(account.session, "POST", "/notices/hooks", {
      name: template,
      template,
      url: `${receiver.url}/${account.accountId}/${template}`,
      causes: ["endpoint.failing", "endpoint.recovered"],
    });
  // In parallel, because each address is looked up.
  const ids = await Promise.all(
    Array.from({ length: 62 }, async (_, at) => {
      const { body } = await send(account.session, "POST", "/webhooks/endpoints", {
        url: `https://hook-${at}.example.com/secret-path`,
        description: `Shop ${at}`,
      });
      expect(body).toMatchObject({ object: "webhook.endpoint" });
      return String(body.id);
    }),
  );
  // Marked as reported, so that only this test reports them.
  await pool.query(
    "update webhook_endpoints set consecutive_failures = 4, failing_told_at = now() where account_id = $1",
    [account.accountId],
  );
  const own = (at: number) =>
    failing(account, ids[at], { url: `https://hook-${at}.example.com/secret-path` });
  // In one transaction, so that one message includes all of them.
  await gateway.context.database.transaction(async (queries) => {
    for (const at of ids.keys()) await recordCause(queries, own(at));
    // One that the message lists, and one that it only counts.
    for (const at of [0, 61]) await recordCause(queries, { ...own(at), cause: "endpoint.recovered" });
    const recovered = [ids[0] ?? "", ids[61] ?? ""];
    await queries
      .update(webhookEndpoints)
      .set({ consecutiveFailures: 0 })
      .where(inArray(webhookEndpoints.id, recovered));
  });
  const mail = await mailServer.next(({ to }) => to.includes(account.email));
  expect(mail.subject).toMatch(
    /^60 webhook endpoints are failing, among them Shop \d+ \(hook-\d+\.example\.com\), Shop \d+ \(.*\), Shop \d+ \(/,
  );
  expect(mail.text).not.toContain("Shop 0 ");
  expect(mail.text).not.toContain("works again");
  const slack = JSON.parse(
    (await receiver.next(({ path: at }) => at === `/${account.accountId}/slack`)).body,
  ).text;
  expect(slack).toMatch(/60 webhook endpoints are failing, among them Shop \d+ \(hook-\d+\.example\.com\)/);
  const json = JSON.parse((await receiver.next(({ path: at }) => at === `/${account.accountId}/json`)).body);
  expect([json.data.length, json.more]).toEqual([49, 11]);
  expect(mailsTo(account.email)).toHaveLength(1);
  const { rows: recovered } = await pool.query(
    "select from notice_messages where account_id = $1 and 'endpoint.recovered' = any (causes)",
    [account.accountId],
  );
  expect(recovered).toEqual([]);
  expect((await list(account.session)).data[0]).toMatchObject({ title: expect.stringContaining("Shop") });
});

test("a mass failure is counted exactly while this process's clock is ahead of the database's", async () => {
  const account = await gateway.createAccount();
  const { pool } = gateway.context.database;
  const { body } = await send(account.session, "POST", "/webhooks/endpoints", {
    url: "https://hook.example.com/secret-path",
  });
  const { rows } = await pool.query<{ id: string }>(
    `insert into webhook_endpoints select (jsonb_populate_record(e, jsonb_build_object(
       'id', e.id || at, 'consecutive_failures', case at when 60 then 0 else 4 end, 'failing_told_at', now()))).*
     from webhook_endpoints e, generate_series(1, 60) at where e.id = $1 returning id`,
    [body.id],
  );
  clock.setOffset(30_000);
  onTestFinished(() => clock.setOffset(0)); // The other files of this process have the same clock.
  await gateway.context.database.transaction(async (queries) => {
    for (const { id } of rows) await recordCause(queries, failing(account, id));
  });
  const mail = await mailServer.next(({ to }) => to.includes(account.email));
  expect(mail.subject).toMatch(/^59 webhook endpoints are failing/);
});

test("a chat that answers with Retry-After is retried after that time, and a password link soon", async () => {
  const account = await gateway.createAccount();
  const { pool } = gateway.context.database;
  await send(account.session, "POST", "/notices/hooks", {
    name: "ops",
    template: "slack",
    url: `${receiver.url}/${account.accountId}`,
    causes: ["endpoint.failing"],
  });
  receiver.answer((_received, response) => response.writeHead(429, { "retry-after": "900" }).end());
  await record(failing(account));
  const waits = (where: string, value: string) =>
    pool.query(
      `select attempts, extract(epoch from next_attempt_at - now())::int as seconds from notice_messages where ${where} = $1 and attempts > 0`,
      [value],
    );
  await expect
    .poll(async () =>
      (await waits("account_id", account.accountId)).rows.filter(({ seconds }) => seconds > 840),
    )
    .toHaveLength(1);
  receiver.answer((_received, response) => response.writeHead(204).end());

  mailServer.refuse({ code: 451, message: "Come back later" });
  await send("", "POST", "/account/password/forgotten", { email: account.email });
  let waitedSeconds = 0;
  for (let tries = 1; waitedSeconds < 600; tries += 1) {
    const find = async () => (await waits("address", account.email)).rows[0];
    await expect.poll(async () => (await find())?.attempts).toBe(tries);
    const { seconds } = await find();
    // After ten minutes without the server, the reader waits at most five more.
    expect(seconds).toBeLessThanOrEqual(300);
    waitedSeconds += seconds;
    await pool.query("update notice_messages set next_attempt_at = now() where address = $1", [
      account.email,
    ]);
  }
  mailServer.refuse(null);
  await mailServer.next(({ to, subject }) => to.includes(account.email) && subject === "Set a new password");
});

test("a later release that runs beside this one may write causes that are unknown here", async () => {
  const account = await gateway.createAccount();
  await record({ ...failing(account), cause: "moon.full" } as unknown as NewCause);
  await record(failing(account, "we_known"));
  await line(account.session, ({ subject_id: id }) => id === "we_known");
  const { pool } = gateway.context.database;
  await pool.query(
    `insert into notices (id, recipient, user_id, account_id, cause, group_key, data, is_personal)
     select id || 'x', recipient, user_id, account_id, 'moon.full', 'moon', data, true from notices where account_id = $1`,
    [account.accountId],
  );
  for (const bearer of [account.key, account.session])
    expect((await list(bearer, "?grouped=true")).data).toMatchObject([{ subject_id: "we_known" }]);
  const { rows } = await pool.query(
    "select failures, spread_at from notice_causes where cause = 'moon.full'",
  );
  expect(rows).toEqual([{ failures: 0, spread_at: null }]);
  await pool.query("delete from notice_causes where cause = 'moon.full'");
});
