import { describe, expect, it } from "vitest";
import { newId } from "#contract/ids.ts";
import { pricedRun, usageLines } from "#gateway/billing/usage/lines.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

describe("keys created by a limited key", () => {
  const gateway = shared(() => startTestGateway({ role: "api" }));
  const account = shared(() => gateway.createAccount());

  const create = (bearer: string, input: object = {}) =>
    call(gateway, bearer, "POST", "/keys", { name: "made", ...input });
  const make = async (bearer: string, input: object) => {
    const { status, body } = await create(bearer, input);
    expect(status, JSON.stringify(body)).toBe(201);
    return { id: String(body.id), secret: String(body.secret) };
  };
  const revoke = (bearer: string, id: string) => call(gateway, bearer, "DELETE", `/keys/${id}`);
  const rotate = (bearer: string, id: string) => call(gateway, bearer, "POST", `/keys/${id}/rotate`, {});
  const budget = (bearer: string, id: string, monthly_budget: object | null) =>
    call(gateway, bearer, "PATCH", `/keys/${id}`, { monthly_budget });
  const refused = (answer: { status: number; body: Record<string, unknown> }, param: string | null) => {
    expect(answer.status).toBe(403);
    expect(answer.body).not.toHaveProperty("secret");
    expect(answer.body.error).toMatchObject({ code: "insufficient_scope", param });
  };
  /** Simulates the end of a minute, after which ended keys no longer count. */
  const passAMinute = () =>
    gateway.context.database.pool.query(
      "update api_keys set revoked_at = revoked_at - interval '1 minute' where revoked_at is not null",
    );

  it.each([
    ["requests_per_minute", 100, 40, 61],
    ["tokens_per_minute", 1_000, 400, 601],
    ["model_tokens_per_minute", { "svc/chat-1": 1_000 }, { "svc/chat-1": 400 }, { "svc/chat-1": 601 }],
    ["max_concurrency", 10, 4, 7],
    ["monthly_budget", { second: 100 }, { second: 40 }, { second: 61 }],
  ])("share its %s", async (param, own, part, tooMuch) => {
    const maker = await make(account.session, { [param]: own });
    refused(await create(maker.secret), param);
    refused(await create(maker.secret, { [param]: null }), param);
    await make(maker.secret, { [param]: part });
    refused(await create(maker.secret, { [param]: tooMuch }), param);
    await make(maker.secret, { [param]: part });
    refused(await create(maker.secret, { [param]: part }), param);
  });

  it("cannot raise tokens per minute later, and neither can the limited key itself", async () => {
    const change = (bearer: string, id: string, body: object) =>
      call(gateway, bearer, "PATCH", `/keys/${id}`, body);
    const maker = await make(account.session, {
      tokens_per_minute: 1_000,
      model_tokens_per_minute: { "svc/chat-1": 100 },
    });
    refused(await change(maker.secret, maker.id, { tokens_per_minute: null }), "tokens_per_minute");
    refused(
      await change(maker.secret, maker.id, { model_tokens_per_minute: null }),
      "model_tokens_per_minute",
    );
    const made = await make(maker.secret, { tokens_per_minute: 100 });
    refused(await change(maker.secret, made.id, { tokens_per_minute: 101 }), "model_tokens_per_minute");
    const raised = await change(maker.secret, made.id, {
      tokens_per_minute: 1_000,
      model_tokens_per_minute: { "svc/chat-1": 100 },
    });
    expect(raised).toMatchObject({ status: 200, body: { tokens_per_minute: 1_000 } });
    expect(await change(account.session, maker.id, { tokens_per_minute: null })).toMatchObject({
      status: 200,
      body: { tokens_per_minute: null, model_tokens_per_minute: { "svc/chat-1": 100 } },
    });
  });

  it("do not get more when created by parallel requests", async () => {
    const maker = await make(account.session, { requests_per_minute: 100 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create(maker.secret, { requests_per_minute: 30 })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  });

  it("do not get more when created in a chain", async () => {
    const first = await make(account.session, { requests_per_minute: 100 });
    const second = await make(first.secret, { requests_per_minute: 80 });
    refused(await create(second.secret, { requests_per_minute: 30 }), "requests_per_minute");
    await make(second.secret, { requests_per_minute: 20 });
    refused(await create(first.secret, { requests_per_minute: 1 }), "requests_per_minute");
  });

  it("free their share when they are revoked, once they no longer count", async () => {
    const maker = await make(account.session, { requests_per_minute: 100, monthly_budget: { second: 50 } });
    const whole = { requests_per_minute: 100, monthly_budget: { second: 50 } };
    const made = await make(maker.secret, whole);
    gateway.context.budgets.settle(
      pricedRun(gateway.context.prices.book, {
        runId: newId("generation"),
        accountId: account.accountId,
        keyId: made.id,
        userId: null,
        model: "svc/vid-t2v",
        apiType: "video-generation",
        provider: "sandbox",
        region: "us-virginia",
        admittedAtMs: Date.now(),
        sandbox: true,
        metadata: null,
        batchId: null,
        lines: usageLines({ unit: "second", quantity: 20 }),
      }),
    );
    await revoke(maker.secret, made.id);
    refused(await create(maker.secret, whole), "requests_per_minute");
    await passAMinute();
    refused(await create(maker.secret, whole), "monthly_budget");
    await make(maker.secret, { ...whole, monthly_budget: { second: 30 } });
  });

  it("get at most the default if their creator has no limit", async () => {
    const maker = await make(account.session, {});
    await make(maker.secret, {});
    await make(maker.secret, { requests_per_minute: 600, max_concurrency: 50 });
    refused(await create(maker.secret, { requests_per_minute: 601 }), "requests_per_minute");
    refused(await create(maker.secret, { max_concurrency: 51 }), "max_concurrency");
    const wide = await make(account.session, { requests_per_minute: 5_000 });
    refused(await rotate(maker.secret, wide.id), null);
  });

  it("cannot raise their own budget, but may lower it", async () => {
    const own = await make(account.session, { monthly_budget: { second: 100 } });
    for (const lifted of [null, { second: 101 }, { token: 5 }])
      refused(await budget(own.secret, own.id, lifted), "monthly_budget");
    expect((await budget(own.secret, own.id, { second: 90, token: 5 })).status).toBe(200);
    refused(await budget(own.secret, own.id, { second: 100 }), "monthly_budget");
    expect((await budget(account.session, own.id, null)).status).toBe(200);
  });

  it("can be changed and rotated by their creator within its limits, and no other keys", async () => {
    const maker = await make(account.session, { monthly_budget: { second: 100 } });
    const [one, other] = [
      await make(maker.secret, { monthly_budget: { second: 40 } }),
      await make(maker.secret, { monthly_budget: { second: 40 } }),
    ];
    expect((await budget(maker.secret, one.id, { second: 60 })).status).toBe(200);
    refused(await budget(maker.secret, other.id, { second: 41 }), "monthly_budget");
    refused(await budget(maker.secret, other.id, null), "monthly_budget");
    refused(await budget(one.secret, other.id, { second: 1 }), null);
    expect((await rotate(maker.secret, other.id)).status).toBe(200);
    expect((await rotate(maker.secret, maker.id)).status).toBe(200);
    const foreign = await make(account.session, { monthly_budget: { second: 10 } });
    const { body } = await rotate(account.session, maker.id);
    refused(await rotate(String(body.secret), foreign.id), null);
    refused(await budget(String(body.secret), foreign.id, { second: 50 }), null);
    expect((await revoke(String(body.secret), foreign.id)).status).toBe(200);
  });
});
