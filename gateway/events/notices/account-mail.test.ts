import { expect, test } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { refusal, sender, startTestGateway, testPassword } from "#gateway/testing/gateway.ts";
import { startMailScene } from "./testing/mail-scene.ts";

const scene = shared(startMailScene);

const send = sender(() => scene.gateway);
const fresh = "four words apart";
const forget = (email: string) => send(null, "POST", "/account/password/forgotten", { email });
const mailTo = (email: string, subject: RegExp) =>
  scene.mailServer.next((mail) => mail.to.includes(email) && subject.test(mail.subject));
/** The token from a link in an e-mail. */
const tokenIn = (text: string, page: string) =>
  new RegExp(`https://console\\.example\\.com/${page}#(\\w+)`).exec(text)?.[1] ?? "";

test("invitations and password links are also sent by e-mail, and work", async () => {
  const account = await scene.gateway.createAccount();
  const email = "ada@example.org";
  const { body } = await send(account.session, "POST", "/account/invitations", { email, role: "member" });
  expect(body).toMatchObject({ mailed: true, url: expect.any(String) });
  const mail = await mailTo(email, /invites you/);
  const token = tokenIn(mail.text, "invite");
  expect(token).toBe(body.token);
  const accepted = await send(null, "POST", "/account/invitations/accept", {
    token,
    name: "Ada",
    password: testPassword,
  });
  expect(accepted.status).toBe(201);
  const user = (accepted.body.account as { user: { id: string } }).user;
  const reset = await send(account.session, "POST", `/account/members/${user.id}/reset`);
  expect(reset.body).toMatchObject({ mailed: true });
  expect(tokenIn((await mailTo(email, /new password/)).text, "reset")).toBe(reset.body.token);
  // After sending, the link is nowhere in the database.
  const kept = async () => {
    const { rows } = await scene.gateway.context.database.pool.query(
      `select m::text as row, ciphertext from notice_messages m where address = $1`,
      [email],
    );
    return rows;
  };
  await expect.poll(async () => (await kept()).map(({ ciphertext }) => ciphertext)).toEqual([null, null]);
  expect(JSON.stringify([await kept(), scene.gateway.logLines])).not.toContain(String(reset.body.token));
});

test("e-mails are in the language of their reader, else of who invites or asks", async () => {
  const account = await scene.gateway.createAccount();
  const profile = (body: object) => send(account.session, "PATCH", "/account/profile", body);
  expect((await send(account.session, "GET", "/account/profile")).body).toMatchObject({ language: null });
  expect((await profile({ language: "zh-CN" })).body).toMatchObject({ language: "zh-CN" });
  expect((await send(account.session, "GET", "/account")).body).toMatchObject({
    user: { language: "zh-CN" },
  });
  for (const body of [{}, { language: "xx" }]) expect((await profile(body)).status).toBe(400);

  const invite = (email: string, language?: string) =>
    send(account.session, "POST", "/account/invitations", { email, role: "viewer", language });
  await invite("li@example.org");
  const chinese = await mailTo("li@example.org", /邀请你加入/);
  expect(chinese.text).toMatch(/角色为查看者。打开此链接即可加入。链接只能使用一次，有效期至 \d{4} 年/);
  expect(chinese.html).toContain('<html lang="zh-CN">');
  await invite("ann@example.org", "en");
  await mailTo("ann@example.org", /invites you to/);

  await send(null, "POST", "/account/password/forgotten", { email: account.email, language: "en" });
  await mailTo(account.email, /^设置新密码$/);
  const other = await scene.gateway.createAccount();
  await send(null, "POST", "/account/password/forgotten", { email: other.email, language: "zh-CN" });
  await mailTo(other.email, /^设置新密码$/);
  expect((await profile({ language: null })).body).toMatchObject({ language: null });
});

test("a forgotten password is reset by e-mail, without revealing which addresses exist", async () => {
  const account = await scene.gateway.createAccount();
  const known = await forget(` ${account.email.toUpperCase()} `);
  const unknown = await forget("nobody@example.org");
  expect([known.status, known.body]).toEqual([202, { object: "password_forgotten" }]);
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  const token = tokenIn((await mailTo(account.email, /new password/)).text, "reset");
  expect((await send(null, "POST", "/account/password/reset", { token, password: fresh })).status).toBe(200);
  expect(await send(null, "POST", "/account/password/reset", { token, password: fresh })).toMatchObject(
    refusal(410, "reset_used"),
  );
  expect(
    (await send(null, "POST", "/account/sessions", { email: account.email, password: fresh })).status,
  ).toBe(201);
  expect((await send(account.session, "GET", "/account")).status).toBe(401);
  await expect
    .poll(
      async () =>
        (
          await scene.gateway.context.database.pool.query(
            `select from notice_messages where address = 'nobody@example.org'`,
          )
        ).rows,
    )
    .toEqual([]);
  expect(scene.mailsTo("nobody@example.org")).toEqual([]);
  for (const body of [{}, { email: 5 }, { email: "a@b.org", also: 1 }, { email: "x".repeat(300) }])
    expect((await send(null, "POST", "/account/password/forgotten", body)).status).toBe(400);
});

test("limits one mailbox to three links an hour, and one visitor to ten requests", async () => {
  const account = await scene.gateway.createAccount();
  const answers = [];
  for (let times = 0; times < 12; times += 1)
    answers.push((await send(null, "POST", "/account/password/forgotten", { email: account.email })).status);
  expect(answers.filter((status) => status === 202).length).toBeLessThanOrEqual(10);
  expect(answers.at(-1)).toBe(429);
  await mailTo(account.email, /new password/);
  const { rows } = await scene.gateway.context.database.pool.query(
    `select count(*)::int as mails from notice_messages where address = $1`,
    [account.email],
  );
  expect(rows).toEqual([{ mails: 3 }]);
});

test("an address is changed by the link that was sent there, and the old one is notified", async () => {
  const account = await scene.gateway.createAccount();
  const other = await scene.gateway.createAccount();
  const change = (email: string, proof: object | undefined = { password: testPassword }) =>
    send(account.session, "POST", "/account/email", { email, proof });
  expect(await change("new@example.org", { password: "wrong" })).toMatchObject(
    refusal(401, "invalid_credentials"),
  );
  expect(await send(account.session, "POST", "/account/email", { email: "new@example.org" })).toMatchObject(
    refusal(403, "confirmation_required"),
  );
  expect(await change(account.email)).toMatchObject(refusal(400, "invalid_parameter"));
  expect(await change("no address")).toMatchObject(refusal(400, "invalid_parameter"));
  expect((await change("first@example.org")).status).toBe(202);
  const replaced = tokenIn((await mailTo("first@example.org", /Confirm/)).text, "email");
  expect((await change("new@example.org")).status).toBe(202);
  const token = tokenIn((await mailTo("new@example.org", /Confirm/)).text, "email");
  const confirm = (value: string) => send(null, "POST", "/account/email/confirm", { token: value });
  expect(await confirm(replaced)).toMatchObject(refusal(410, "email_change_expired"));
  expect(await confirm("made-up")).toMatchObject(refusal(404, "email_change_not_found"));
  expect((await send(null, "POST", "/account/email/lookup", { token })).body).toMatchObject({
    email: "new@example.org",
    from: account.email,
    state: "open",
  });
  expect((await send(account.session, "GET", "/account/profile")).body).toMatchObject({
    email: account.email,
  });
  const both = await Promise.all([confirm(token), confirm(token)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
  expect((await send(account.session, "GET", "/account/profile")).body).toMatchObject({
    email: "new@example.org",
    email_verified: true,
  });
  expect((await mailTo(account.email, /was changed/)).text).toContain("new@example.org");
  // Only the person who opens the link learns that an address is taken, not the person who requested the
  // change.
  expect((await change(other.email)).status).toBe(202);
  const taken = tokenIn((await mailTo(other.email, /Confirm/)).text, "email");
  expect(await confirm(taken)).toMatchObject(refusal(409, "email_taken"));
});

test("without a mail server, people copy links themselves", async () => {
  const gateway = await startTestGateway({ role: "api" });
  const plain = sender(() => gateway);
  const account = await gateway.createAccount();
  expect((await plain(null, "GET", "/account/setup")).body).toMatchObject({ email: false });
  expect(
    (
      await plain(account.session, "POST", "/account/invitations", {
        email: "ada@example.org",
        role: "member",
      })
    ).body,
  ).toMatchObject({ mailed: false, url: expect.any(String) });
  expect(await plain(null, "POST", "/account/password/forgotten", { email: account.email })).toMatchObject(
    refusal(404, "mail_not_configured"),
  );
  expect(
    await plain(account.session, "POST", "/account/email", {
      email: "a@example.org",
      proof: { password: testPassword },
    }),
  ).toMatchObject(refusal(404, "mail_not_configured"));
  await gateway.close();
});
