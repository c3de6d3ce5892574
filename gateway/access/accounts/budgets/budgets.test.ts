import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const month = (amount: string, hard = true) => ({ amount, period: "month" as const, hard });

describe("budgets in money", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());
  const ask = (method: string, path: string, body?: object, bearer = account.session) =>
    call(gateway, bearer, method, path, body);

  it("can be set for the account by owners and admins, and are shown to members", async () => {
    const admin = await gateway.addMember(account, "admin");
    const member = await gateway.addMember(account, "member");
    const budgets = [month("20.50"), month("10", false)];
    expect((await ask("PATCH", "/account/budgets", { budgets }, member.session)).status).toBe(403);
    expect((await ask("PATCH", "/account/budgets", { budgets }, account.key)).body.error).toMatchObject({
      code: "user_session_required",
    });
    expect((await ask("PATCH", "/account/budgets", { budgets }, admin.session)).status).toBe(200);
    expect((await ask("GET", "/account/budgets", undefined, member.session)).body).toMatchObject({
      currency: "USD",
      prepaid: null,
      budgets: [
        {
          amount: "20.5",
          currency: "USD",
          period: "month",
          hard: true,
          spent: "0",
          reserved: "0",
          left: "20.5",
        },
        { amount: "10", hard: false },
      ],
    });
    const audit = await ask("GET", "/audit_logs?action=account.budgets_updated");
    expect((audit.body.data as unknown[])[0]).toMatchObject({
      detail: { budgets: [{ amount: "20.5" }, {}] },
    });
    expect((await ask("PATCH", "/account/budgets", { budgets: [] })).body.budgets).toEqual([]);
  });

  it("can be set for keys and members, separately from budgets in units", async () => {
    const made = await ask("POST", "/keys", {
      name: "k",
      budgets: [month("5")],
      monthly_budget: { token: 10 },
    });
    expect(made.body).toMatchObject({ budgets: [{ amount: "5", left: "5" }], monthly_budget: { token: 10 } });
    const path = `/keys/${made.body.id}`;
    expect((await ask("PATCH", path, { monthly_budget: null })).body.budgets).toHaveLength(1);
    expect((await ask("PATCH", path, { budgets: [] })).body.budgets).toEqual([]);
    const { userId } = await gateway.addMember(account, "member");
    const member = await ask("PATCH", `/account/members/${userId}`, { budgets: [month("7")] });
    expect(member.body).toMatchObject({ budgets: [{ amount: "7", spent: "0" }] });
  });

  it.each([
    ["another currency", [{ ...month("5"), currency: "EUR" }], "budgets[0].currency"],
    ["nothing", [month("0.00")], "budgets[0].amount"],
    ["a number", [{ ...month("5"), amount: 5 }], "budgets[0].amount"],
    ["thirteen decimals", [month("0.1234567890123")], "budgets[0].amount"],
    ["a period twice", [month("5"), month("6")], "budgets[1].period"],
    ["another period", [{ ...month("5"), period: "year" }], "budgets[0].period"],
    ["__proto__", [JSON.parse('{"amount":"5","period":"month","hard":true,"__proto__":1}')], "budgets"],
  ])("refuse %s and name the field", async (_name, budgets, param) => {
    const refused = await ask("PATCH", "/account/budgets", { budgets });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ param });
  });

  it("given by a key cannot exceed the key's own budget", async () => {
    const maker = await gateway.createKey(account.accountId, { scopes: ["keys", "inference"] });
    const { body } = await ask("GET", "/account", undefined, maker);
    const { id } = body.key as { id: string };
    await ask("PATCH", `/keys/${id}`, { budgets: [month("10")] });
    const make = (budgets: object[]) =>
      ask("POST", "/keys", { name: "m", scopes: ["inference"], budgets }, maker);
    expect((await make([])).body.error).toMatchObject({ code: "insufficient_scope", param: "budgets" });
    expect((await make([month("6", false)])).status).toBe(403);
    const first = await make([month("6")]);
    expect(first.status).toBe(201);
    expect((await make([month("5")])).body.error).toMatchObject({
      message: expect.stringContaining("4 of 10 USD"),
    });
    // A limit in total also limits each month.
    expect((await make([{ amount: "4", period: "total", hard: true }])).status).toBe(201);
    expect((await make([month("0.000000000001")])).status).toBe(403);
    expect((await ask("DELETE", `/keys/${first.body.id}`)).status).toBe(200);
    expect((await make([month("6")])).status).toBe(201);
    const own = (budgets: object[]) => ask("PATCH", `/keys/${id}`, { budgets }, maker);
    expect((await own([month("11")])).status).toBe(403);
    expect((await own([])).status).toBe(403);
    expect((await own([month("10"), month("2", false)])).status).toBe(200);
  });

  it("let the sandbox run, which costs nothing", async () => {
    const key = await gateway.createKey(account.accountId, { budgets: [month("0.01")] });
    const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "hello" }] };
    expect((await ask("POST", "/chat/completions", chat, key)).status).toBe(200);
  });
});

describe("the credit of a prepaid account", () => {
  const gateway = shared(startTestGateway);
  const operator = shared(() => gateway.createAccount());
  const account = shared(() => gateway.createAccount());

  it("is added by operators once, is in the audit log, and is shown to the account", async () => {
    const path = `/operator/accounts/${account.accountId}/credits`;
    const body = { amount: "100.00", note: "invoice 7" };
    const add = (bearer: string, headers = {}, sent: object = body) =>
      call(gateway, bearer, "POST", path, sent, headers);
    expect((await add(account.key)).status).toBe(403);
    const key = await gateway.createKey(operator.accountId, { scopes: ["operator"] });
    const once = { "idempotency-key": "invoice-7" };
    const added = await add(key, once);
    expect(added.body).toMatchObject({
      amount: "100",
      currency: "USD",
      prepaid: { balance: "100", reserved: "0" },
    });
    expect((await add(key, once)).body).toEqual(added.body);
    expect((await add(key, {}, { amount: "-30", note: "mistake" })).body).toMatchObject({
      prepaid: { balance: "70" },
    });
    expect((await add(key, {}, { amount: "0", note: "x" })).body.error).toMatchObject({ param: "amount" });
    expect((await add(key, {}, { amount: "1", note: " " })).body.error).toMatchObject({ param: "note" });
    const money = await call(gateway, account.session, "GET", "/account/budgets");
    expect(money.body.prepaid).toMatchObject({ balance: "70", currency: "USD" });
    const credits = await call(gateway, account.session, "GET", "/account/credits");
    const who = { id: expect.stringMatching(/^key_/), name: expect.any(String) };
    expect(credits.body.data).toMatchObject([
      { amount: "-30", note: "mistake", added_by: who, balance_after: "70" },
      { amount: "100", note: "invoice 7", added_by: who, balance_after: "100" },
    ]);
    // Only people who may see the account's usage see balance and credits; everybody sees budgets.
    for (const [role, sees] of [
      ["member", false],
      ["viewer", true],
      ["billing", true],
    ] as const) {
      const { session } = await gateway.addMember(account, role);
      const { body } = await call(gateway, session, "GET", "/account/budgets");
      expect(body.prepaid, role).toEqual(sees ? money.body.prepaid : null);
      const { status } = await call(gateway, session, "GET", "/account/credits");
      expect(status, role).toBe(sees ? 200 : 403);
    }
    const audit = await call(gateway, account.session, "GET", "/audit_logs?action=account.credit_added");
    expect(audit.body.data).toHaveLength(2);
    expect((await call(gateway, key, "DELETE", path)).status).toBe(200);
    expect((await call(gateway, account.session, "GET", "/account/budgets")).body.prepaid).toBeNull();
    expect((await call(gateway, key, "GET", "/operator/accounts/acct_none/credits")).status).toBe(404);
  });

  it("lists the balance after each credit, also when credits are added at the same time and after runs", async () => {
    const { accountId, session } = await gateway.createAccount();
    const key = await gateway.createKey(operator.accountId, { scopes: ["operator"] });
    const add = (amount: string) =>
      call(gateway, key, "POST", `/operator/accounts/${accountId}/credits`, { amount, note: "credit" });
    const list = async () =>
      (await call(gateway, session, "GET", "/account/credits")).body.data as {
        balance_after: string | null;
      }[];
    const spend = (amount: string) =>
      gateway.context.database.pool.query(
        `insert into budget_balances (kind, holder, period, starts_on, account_id, spent)
         values ('account', $1, 'total', '', $1, $2)
         on conflict (holder, period, starts_on) do update set spent = budget_balances.spent + excluded.spent`,
        [accountId, amount],
      );
    await spend("5");
    expect((await add("1")).body).toMatchObject({ balance_after: "1", prepaid: { balance: "1" } });
    await Promise.all(Array.from({ length: 8 }, () => add("1")));
    const after = (await list()).map(({ balance_after: balance }) => balance);
    expect(after).toEqual(["9", "8", "7", "6", "5", "4", "3", "2", "1"]);
    await spend("2.5");
    expect((await add("1")).body).toMatchObject({ balance_after: "7.5" });
    // Simulates a credit from a release that did not record the balance.
    await gateway.context.database.pool.query(
      "update account_credits set balance_after = null where account_id = $1",
      [accountId],
    );
    expect((await list())[0]).toMatchObject({ balance_after: null });
  });
});
