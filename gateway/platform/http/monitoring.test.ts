import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

describe("/metrics", () => {
  const gateway = shared(() => startTestGateway({ metricsToken: "only-for-the-operator" }));
  const read = (bearer?: string) =>
    fetch(gateway.url.replace("/v1", "/metrics"), {
      headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
    });

  it("answers only requests with the operator's token", async () => {
    expect((await read()).status).toBe(401);
    expect((await read((await gateway.createAccount()).key)).status).toBe(401);
    const text = await (await read("only-for-the-operator")).text();
    expect(text).toContain('gatehouse_waiting{kind="deliveries"} 0');
    expect(text).toContain("gatehouse_request_seconds_count");
    expect(text).toContain('gatehouse_retention_lag_seconds{kind="predictions"} 0');
  });

  it("reports queue lengths and which stores are full", async () => {
    const { pool } = gateway.context.database;
    const { accountId } = await gateway.createAccount();
    await pool.query(
      `with batch as (
         insert into batches (id, account_id, model, api_type, billing_unit, concurrency, columns, deadline_at)
         values ('bat_waits', $1, 'svc/chat-1', 'chat-completions', 'token', 1, '[]', now() + interval '1 day') returning id)
       insert into batch_rows (batch_id, row, model, next_check_at)
       select id, row, 'svc/chat-1', now() + interval '1 day' from batch, generate_series(1, 3) row`,
      [accountId],
    );
    await pool.query(
      `insert into notice_messages (id, kind, address, recipient, status, attempts, next_attempt_at)
       values ('ntm_waits', 'email_changed', 'a@example.com', 'a@example.com', 'pending', 1, now() + interval '1 day')`,
    );
    // Those of a suspended account wait as they should.
    const suspended = await gateway.createAccount();
    await pool.query(`update accounts set suspension = '{"reason":"Unpaid"}' where id = $1`, [
      suspended.accountId,
    ]);
    await pool.query(
      `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, next_attempt_at)
       select 'dlv_' || lpad(n::text, 26, '0'), account_id, 'evt_waits_' || n, 'whep_gone', 'x', 'https://nowhere.example.com/', now()
       from unnest($1::text[]) with ordinality as of (account_id, n)`,
      [[accountId, suspended.accountId]],
    );
    await pool.query(
      `insert into audit_stream (id, batch_id, batch_lines, batch_at, next_attempt_at)
       values ('stream', 'batch', E'{}\n{}\n', now() - interval '1 day', now() + interval '1 day')`,
    );
    const text = await (await read("only-for-the-operator")).text();
    await pool.query("delete from audit_stream");
    expect(text).toMatch(/gatehouse_audit_stream_lag_seconds\{kind="audit_events"\} 864\d\d/);
    for (const line of [
      'gatehouse_waiting{kind="audit_events"} 2',
      'gatehouse_waiting{kind="deliveries"} 1',
      'gatehouse_waiting{kind="batch_rows"} 3',
      'gatehouse_waiting{kind="messages"} 1',
      'gatehouse_waiting{kind="responses"} 0',
      'gatehouse_waiting{kind="copies"} 0',
      'gatehouse_full{kind="store"} 0',
      'gatehouse_full{kind="database"} 0',
    ])
      expect(text).toContain(line);
    await pool.query("delete from batches where id = 'bat_waits'");
    await pool.query("delete from webhook_deliveries where event_id like 'evt_waits_%'");
  });

  it.each(["rules.yml", "dashboard.json"])("has each metric that deploy/monitoring/%s uses", async (file) => {
    await call(gateway, null, "GET", "/catalog");
    const text = await (await read("only-for-the-operator")).text();
    const asked = readFileSync(path.join("deploy/monitoring", file), "utf8");
    const names = new Set(asked.match(/\b(?:gatehouse|process|nodejs)_\w+/g));
    expect(names.size).toBeGreaterThan(5);
    expect(
      [...names].filter(
        (name) => !new RegExp(`^${name}[ {]`, "m").test(text) && !text.includes(`# TYPE ${name} `),
      ),
    ).toEqual([]);
  });

  it("shows what raises an alarm before it happens, because an alarm needs an increase", async () => {
    const text = await (await read("only-for-the-operator")).text();
    for (const series of [
      'gatehouse_request_errors_total{code="no_healthy_region"}',
      'gatehouse_predictions_ended_total{status="failed",code="upstream_outcome_unknown"}',
      'gatehouse_delivery_attempts_total{result="failed"}',
      'gatehouse_handovers_total{reason="down"}',
    ])
      expect(text).toContain(`\n${series} `);
  });

  it("counts requests that were answered before routing", async () => {
    const refused = await fetch(`${gateway.url}/predictions`, { headers: { authorization: "Bearer no" } });
    expect(refused.status).toBe(401);
    await vi.waitFor(async () =>
      expect(await (await read("only-for-the-operator")).text()).toContain(
        'gatehouse_request_seconds_count{method="GET",route="/v1/predictions",status="401"} 1',
      ),
    );
  });

  it("counts how predictions ended and what upstreams answered", async () => {
    const { key } = await gateway.createAccount();
    const video = { model: "svc/vid-t2v", prompt: "waves", duration: 2 };
    const { body } = await call(gateway, key, "POST", "/videos", video);
    await call(gateway, key, "POST", `/predictions/${body.id}/cancel`, {});
    const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "hello" }] };
    await call(gateway, key, "POST", "/chat/completions", chat);
    await vi.waitFor(async () => {
      const text = await (await read("only-for-the-operator")).text();
      expect(text).toMatch(/gatehouse_predictions_ended_total\{status="\w+",code=""\} [1-9]/);
      expect(text).toMatch(/gatehouse_upstream_tries_total\{provider="\w+",result="ok"\} \d/);
      expect(text).toContain("# TYPE gatehouse_delivery_attempts_total counter");
    });
  });

  it("leaves no line in the log unless something is wrong, like the health checks", async () => {
    gateway.logLines.length = 0;
    const statuses: number[] = [];
    for (const path of ["/healthz", "/readyz"])
      statuses.push((await fetch(gateway.url.replace("/v1", path))).status);
    statuses.push((await read("only-for-the-operator")).status, (await read()).status);
    expect(statuses).toEqual([200, 200, 200, 401]);
    await vi.waitFor(() => {
      const logged = gateway.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");
      expect(logged).toMatchObject([{ route: "/metrics", status: 401 }]);
    });
  });

  it("omits the database's metrics while it is unavailable", async () => {
    const query = vi
      .spyOn(gateway.context.database.pool, "query")
      .mockRejectedValue(new Error("away") as never);
    const answer = await read("only-for-the-operator");
    query.mockRestore();
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).not.toContain("gatehouse_waiting{");
    expect(text).toContain("gatehouse_request_seconds_count");
  });
});
