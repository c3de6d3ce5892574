import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

describe("a key that manages keys", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());

  const create = (bearer: string, input: object = {}) =>
    call(gateway, bearer, "POST", "/keys", { name: "made", ...input });
  const make = async (input: object) => {
    const { body } = await create(account.session, input);
    return { id: String(body.id), secret: String(body.secret) };
  };
  const rotate = (bearer: string, id: string) => call(gateway, bearer, "POST", `/keys/${id}/rotate`, {});
  const update = (bearer: string, id: string) =>
    call(gateway, bearer, "PATCH", `/keys/${id}`, { monthly_budget: { token: 5 } });

  it("cannot rotate or change a key with more scopes", async () => {
    const weak = await make({ scopes: ["keys"] });
    const strong = await make({});
    for (const { status, body } of [
      await create(weak.secret),
      await rotate(weak.secret, strong.id),
      await update(weak.secret, strong.id),
    ]) {
      expect(status).toBe(403);
      expect(body).not.toHaveProperty("secret");
      expect(body.error).toMatchObject({ code: "insufficient_scope" });
    }
    expect((await call(gateway, strong.secret, "GET", "/account")).status).toBe(200);
    const { body } = await call(gateway, account.session, "GET", "/keys");
    expect((body.data as { id: string }[]).find(({ id }) => id === strong.id)).toMatchObject({
      monthly_budget: null,
    });
  });

  it.each([
    ["models", "model_not_allowed", ["svc/chat-1", "svc/chat-2"], "svc/tts-b-1"],
    ["regions", "region_not_allowed", ["us-virginia", "us-oregon"], "cn-beijing"],
  ])("stays within its own %s", async (list, code, own, foreign) => {
    const narrow = await make({ [list]: own });
    for (const wider of [null, [...own, foreign]]) {
      const made = await create(narrow.secret, { [list]: wider });
      expect(made.status).toBe(403);
      expect(made.body.error).toMatchObject({ code, param: list });
      const other = await make({ [list]: wider });
      for (const answer of [await rotate(narrow.secret, other.id), await update(narrow.secret, other.id)]) {
        expect(answer.status).toBe(403);
        expect(answer.body.error).toMatchObject({ code, param: null });
      }
    }
    const within = await create(narrow.secret, { [list]: own.slice(1) });
    expect(within.status).toBe(201);
    expect((await rotate(narrow.secret, String(within.body.id))).status).toBe(200);
    expect((await update(narrow.secret, String(within.body.id))).status).toBe(200);
  });

  it("cannot create a key that outlives its own secret", async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const brief = await make({ expires_at: inDays(2) });
    for (const expires_at of [null, inDays(3)]) {
      const made = await create(brief.secret, { expires_at });
      expect(made.status).toBe(403);
      expect(made.body.error).toMatchObject({ code: "insufficient_scope", param: "expires_at" });
      const other = await make({ expires_at });
      expect((await rotate(brief.secret, other.id)).status).toBe(403);
    }
    expect((await create(brief.secret, { expires_at: inDays(1) })).status).toBe(201);
    expect((await rotate(brief.secret, brief.id)).status).toBe(200);
  });

  it("cannot be rotated by its old secret in the grace period", async () => {
    const key = await make({});
    await call(gateway, account.session, "POST", `/keys/${key.id}/rotate`, { grace_seconds: 60 });
    expect((await call(gateway, key.secret, "GET", "/account")).status).toBe(200);
    for (const answer of [await create(key.secret), await rotate(key.secret, key.id)]) {
      expect(answer.status).toBe(403);
      expect(answer.body).not.toHaveProperty("secret");
    }
  });

  it("can rotate itself and revoke keys that can do more", async () => {
    const weak = await make({ scopes: ["keys"], models: ["svc/chat-1"], regions: ["us-virginia"] });
    const strong = await make({});
    const rotated = await rotate(weak.secret, weak.id);
    expect(rotated.status).toBe(200);
    const revoked = await call(gateway, String(rotated.body.secret), "DELETE", `/keys/${strong.id}`);
    expect(revoked.status).toBe(200);
  });

  it("does not limit a signed-in user", async () => {
    const { id } = await make({});
    expect((await rotate(account.session, id)).status).toBe(200);
    expect((await update(account.session, id)).status).toBe(200);
  });
});
