import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

describe("Idempotency-Key", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());

  const post = (path: string, body: unknown, key: string, bearer = account.key) =>
    call(gateway, bearer, "POST", path, body, { "idempotency-key": key });

  it("creates one account key for two requests, and shows its secret once", async () => {
    const first = await post("/keys", { name: "laptop" }, "a");
    const again = await post("/keys", { name: "laptop" }, "a");
    expect(again.status).toBe(201);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body.id).toBe(first.body.id);
    expect(first.body.secret).toMatch(/^svc_live_/);
    expect(again.body).not.toHaveProperty("secret");
    const { rows } = await gateway.context.database.pool.query("select * from idempotency_keys");
    expect(JSON.stringify(rows.map((row) => String(row.response_body)))).not.toContain(first.body.secret);
  });

  it("is per account: the same key of another account is independent", async () => {
    const stranger = await gateway.createAccount();
    const theirs = await post("/keys", { name: "laptop" }, "a", stranger.key);
    expect(theirs.headers.get("idempotent-replayed")).toBeNull();
  });

  it("does not store errors, so that the fixed request may use the key again", async () => {
    expect((await post("/uploads", { content_type: "text/html", size_bytes: 5 }, "u")).status).toBe(400);
    const mended = await post("/uploads", { content_type: "image/png", size_bytes: 5 }, "u");
    expect(mended.status).toBe(201);
    expect((await post("/uploads", { size_bytes: 5, content_type: "image/png" }, "u")).body.id).toBe(
      mended.body.id,
    );
    expect((await post("/uploads", { content_type: "image/png", size_bytes: 6 }, "u")).status).toBe(422);
  });

  it("creates one prediction for two requests even if its answer could not be stored", async () => {
    const { pool } = gateway.context.database;
    await pool.query(
      `create function lose() returns trigger language plpgsql as $$ begin raise 'connection lost'; end $$;
       create trigger lose before update on idempotency_keys for each row execute function lose()`,
    );
    const video = { model: "svc/vid-t2v", prompt: "a kite", duration: 2 };
    const first = await post("/videos", video, "lost");
    await pool.query("drop trigger lose on idempotency_keys");
    const again = await post("/videos", video, "lost");
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body.id).toBe(first.body.id);
  });

  it("accepts only visible ASCII characters", async () => {
    const answer = await post("/uploads", { content_type: "image/png", size_bytes: 5 }, "x".repeat(256));
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ param: "Idempotency-Key" });
  });
});
