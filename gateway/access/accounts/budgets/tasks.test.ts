import { describe, expect, it } from "vitest";
import { taskSweep } from "#gateway/billing/usage/sweeps.ts";
import { callTool } from "#gateway/testing/agent.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";

const cap = { metadata_key: "session", max_runs: 1 };
const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "hello" }] };
const of = (session: string) => ({ ...chat, metadata: { session } });

describe("a cap per task", () => {
  let account: TestAccount;
  const gateway = shared(startTestGateway);
  const ask = (method: string, path: string, body?: object, bearer = account.session) =>
    call(gateway, bearer, method, path, body);
  const keyWith = async (scopes: string[]) => {
    const { body } = await ask("POST", "/keys", { name: "k", scopes, task_budget: cap });
    return { id: String(body.id), secret: String(body.secret) };
  };
  const firstTask = async () => {
    const { body } = await ask("GET", "/tasks");
    return (body.data as { id: string }[])[0]?.id ?? "";
  };

  it("is set for the account, listed by value, raised and ended by hand, and in the audit log", async () => {
    account = await gateway.createAccount();
    const set = await ask("PATCH", "/account/budgets", { task_budget: { ...cap, amount: "2.00" } });
    expect(set.body).toMatchObject({ task_budget: { metadata_key: "session", amount: "2", max_runs: 1 } });
    const run = (body: object = of("one")) => ask("POST", "/chat/completions", body, account.key);
    await expect
      .poll(async () => (await run(chat)).body.error)
      .toMatchObject({
        code: "missing_parameter",
        param: "metadata.session",
      });
    expect((await run(of("x".repeat(201)))).body.error).toMatchObject({ code: "invalid_parameter" });
    expect((await run()).status).toBe(200);
    const refused = await run();
    expect(refused.status).toBe(402);
    expect(refused.body.error).toMatchObject({
      code: "budget_exceeded",
      budget: { holder: { type: "task" }, unit: "run", amount: "1" },
      task: { metadata_key: "session", value: "one", spent: "0", limit: "2", runs: 1, max_runs: 1 },
    });
    const id = await firstTask();
    const raise = (max_runs: number) => ask("POST", `/tasks/${id}/raise`, { max_runs });
    expect((await raise(3)).body).toMatchObject({ max_runs: 3, amount: "2", raised: true });
    expect((await raise(2)).body).toMatchObject({ max_runs: 3 });
    expect((await run()).status).toBe(200);
    expect((await ask("POST", `/tasks/${id}/end`)).body).toMatchObject({ ended_at: expect.any(String) });
    expect((await run()).body.error).toMatchObject({ task: { ended: true } });
    expect((await raise(3)).body).toMatchObject({ ended_at: null });
    expect((await run()).status).toBe(200);
    expect((await ask("GET", `/tasks?value=one&holder=${account.accountId}`)).body.data).toMatchObject([
      { id, value: "one", runs: 3, spent: "0", holder: { type: "account" } },
    ]);
    const { body: audit } = await ask("GET", "/audit_logs");
    const actions = (audit.data as { action: string }[]).map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith("task."))).toEqual([
      "task.raised",
      "task.ended",
      "task.raised",
      "task.raised",
    ]);
    await ask("PATCH", "/account/budgets", { task_budget: null });
    await expect.poll(async () => (await run(chat)).status).toBe(200);
  });

  it.each([
    [{ metadata_key: "session" }, "task_budget.amount"],
    [{ metadata_key: "session", amount: "0" }, "task_budget.amount"],
    [{ metadata_key: "session", amount: "1", currency: "CHF" }, "task_budget.currency"],
    [{ metadata_key: "session", max_runs: 0 }, "task_budget.max_runs"],
  ])("is refused when it is %j", async (task_budget, param) => {
    account = await gateway.createAccount();
    const refused = await ask("PATCH", "/account/budgets", { task_budget });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ param });
  });

  it("of a key is kept by that key's runs, and only members who may change it see and raise it", async () => {
    account = await gateway.createAccount();
    const { id: keyId, secret: capped } = await keyWith(["keys", "inference", "usage"]);
    expect((await ask("POST", "/chat/completions", of("one"), capped)).status).toBe(200);
    const made = await ask("POST", "/keys", { name: "m", scopes: ["inference"] }, capped);
    expect(made.body.error).toMatchObject({ code: "insufficient_scope" });
    const own = await ask("PATCH", `/keys/${keyId}`, { task_budget: null }, capped);
    expect(own.body.error).toMatchObject({ code: "insufficient_scope" });
    const task = await firstTask();
    const raise = (bearer: string) => ask("POST", `/tasks/${task}/raise`, { max_runs: 9 }, bearer);
    expect((await raise(capped)).status).toBe(403);
    const member = await gateway.addMember(account, "member");
    expect((await raise(member.session)).status).toBe(403);
    expect((await ask("GET", `/tasks/${task}`, undefined, member.session)).status).toBe(404);
    const stranger = await gateway.createAccount();
    expect((await raise(stranger.session)).status).toBe(404);
    expect((await ask("GET", "/tasks", undefined, stranger.session)).body.data).toEqual([]);
    expect((await raise(account.session)).status).toBe(200);
  });

  it("that refuses a connection causes one notice, whose button raises the task once", async () => {
    account = await gateway.createAccount();
    const { id: keyId, secret: agent } = await keyWith(["inference"]);
    await gateway.context.database.pool.query("update api_keys set bound_to = 'mcp' where id = $1", [keyId]);
    const input = { messages: chat.messages };
    const run = () =>
      callTool(gateway, agent, "run", { model: chat.model, input: { ...input, metadata: { session: "s" } } });
    for (let time = 0; time < 3; time += 1) await run();
    const noticesOf = async () =>
      (await ask("GET", "/notices?cause=task.refused")).body.data as {
        count: number;
        raise: { task_id: string; max_runs: number };
      }[];
    await expect.poll(noticesOf).toMatchObject([
      {
        count: 1,
        title: expect.stringContaining("“s” reached its cap"),
        path: "/usage/tasks?value=s",
        raise: { max_runs: 2 },
      },
    ]);
    const [notice] = await noticesOf();
    const { groups } = (await ask("GET", "/notices?grouped=true")).body as unknown as {
      groups: { cause: string; raise: unknown }[];
    };
    expect(groups.find(({ cause }) => cause === "task.refused")?.raise).toEqual(notice?.raise);
    const raise = () => ask("POST", `/tasks/${notice?.raise.task_id}/raise`, { max_runs: 2 });
    await raise();
    expect((await raise()).body).toMatchObject({ max_runs: 2 });
    expect((await run()).text).not.toContain("budget_exceeded");
  });

  it("is forgotten 30 days after the last run of its value", async () => {
    account = await gateway.createAccount();
    const { secret: key } = await keyWith(["inference"]);
    await ask("POST", "/chat/completions", of("old"), key);
    expect(await firstTask()).not.toBe("");
    await gateway.context.meter.flush();
    await gateway.context.database.pool.query(
      "update budget_balances set last_run_at = now() - interval '31 days' where account_id = $1 and kind = 'task'",
      [account.accountId],
    );
    await taskSweep.run(gateway.context);
    expect((await ask("GET", "/tasks")).body.data).toEqual([]);
  });
});
