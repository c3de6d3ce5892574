import { expect, onTestFinished, test, vi } from "vitest";
import { describeNotice, messageWords } from "#gateway/events/notices/describe-notice.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { sender, startTestGateway } from "#gateway/testing/gateway.ts";
import { recordOperatorCauses } from "./operator-watch.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const send = sender(() => gateway);

test("operators are notified of refused keys, bills, breakers and late sweeps, each once an hour; members do not", async () => {
  const { pool } = gateway.context.database;
  const health = (provider: string, message: string, more = "null") =>
    pool.query(
      `insert into upstream_health (provider, model, region, last_failure_at, failure_code, failure_message, open_until)
       values ($1, 'svc/chat-1', 'us-virginia', now(), 'upstream_error', $2, ${more})`,
      [provider, message],
    );
  await health("refused", "HTTP 401 Incorrect API key provided");
  await health("unpaid", "HTTP 402 Payment Required");
  await health("quota", "HTTP 429 You exceeded your current quota: insufficient_quota");
  await health("down", "HTTP 503 Overloaded", "now() + interval '1 minute'");
  await health("blip", "HTTP 503 Overloaded");
  await health("well", "HTTP 401 before", "now() + interval '1 minute'");
  await pool.query(
    `update upstream_health set last_success_at = now() + interval '1 second' where provider = 'well'`,
  );
  const late: Sweep = {
    kind: "uploads",
    run: async () => false,
    oldestDue: () => "select now() - interval '1 hour'",
  };
  await pool.query(
    `insert into audit_stream (id, batch_id, batch_lines, batch_at, failures, last_error)
     values ('stream', 'batch', E'{}\n', now() - interval '20 minutes', 3, 'https://siem.example.com: answered 503')`,
  );
  for (let times = 0; times < 2; times += 1) await recordOperatorCauses(gateway.context, [late]);
  const { rows } = await pool.query(
    `select cause, subject_id from notice_causes where account_id is null order by 1, 2`,
  );
  expect(rows.filter(({ cause }) => !cause.startsWith("database."))).toEqual([
    { cause: "audit_stream.behind", subject_id: null },
    { cause: "provider.bill_unpaid", subject_id: "quota us-virginia" },
    { cause: "provider.bill_unpaid", subject_id: "unpaid us-virginia" },
    { cause: "provider.key_refused", subject_id: "refused us-virginia" },
    { cause: "provider.unhealthy", subject_id: "down us-virginia svc/chat-1" },
    { cause: "retention.lagging", subject_id: "uploads" },
  ]);
  const account = await gateway.createAccount();
  expect((await send(account.session, "GET", "/notices?cause=provider.key_refused")).body.data).toEqual([]);
});

test("operators hear once that the audit stream is behind, until it has recovered", async () => {
  const { pool } = gateway.context.database;
  await pool.query(
    `insert into audit_stream (id, batch_id, batch_lines, batch_at) values ('stream', 'batch', E'{}\n', now())
     on conflict (id) do update set batch_lines = excluded.batch_lines`,
  );
  await pool.query("delete from notice_causes where cause = 'audit_stream.behind'");
  const notices = async (lagMinutes: number) => {
    await pool.query("update audit_stream set batch_at = now() - make_interval(mins => $1)", [lagMinutes]);
    await recordOperatorCauses(gateway.context, []);
    const { rows } = await pool.query("select from notice_causes where cause = 'audit_stream.behind'");
    return rows.length;
  };
  await notices(0);
  expect(await notices(20)).toBe(1);
  // Hours later, with a lag that changes.
  vi.setSystemTime(Date.now() + 2 * 3_600_000);
  onTestFinished(() => void vi.useRealTimers());
  for (const minutes of [90, 20, 10, 20]) expect(await notices(minutes)).toBe(1);
  expect(await notices(1)).toBe(1);
  expect(await notices(20)).toBe(2);
});

test("a model that runs without a price is a notice once a day, with its runs; not while there are no prices", async () => {
  const { prices, database } = gateway.context;
  const account = await gateway.createAccount();
  const dayAt = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const ran = (model: string, day: string, runs: number, charge: string | null = null) =>
    database.pool.query(
      `insert into usage_sums (account_id, day, model, provider, region, kind, unit, price_id, selling_id, batch_id,
         key_id, quantity, runs, cost, charge)
       values ($1, $2, $3, 'acme', '', 'token', 'token', coalesce($5::text, ''), '', '', 'key_1', 90, $4, $5::text::numeric, $5::text::numeric)`,
      [account.accountId, day, model, runs, charge],
    );
  await ran("acme/free", dayAt(0), 5, "0");
  await ran("acme/new", dayAt(0), 2);
  await ran("acme/old", dayAt(1), 40);
  await ran("acme/both", dayAt(2), 1_000);
  await ran("acme/both", dayAt(1), 40);
  await ran("acme/both", dayAt(0), 2);
  await ran("acme/both", dayAt(0), 7, "0.5");
  const causes = async () => {
    await recordOperatorCauses(gateway.context, []);
    const { rows } = await database.pool.query(
      `select subject_id as model, data from notice_causes where cause = 'usage.not_priced' order by 1`,
    );
    return rows.map(({ model, data }) => [model, data.runs, data.since]);
  };
  expect(await causes()).toEqual([]);
  await database.pool.query("update users set is_operator = true where id = $1", [account.userId]);
  const components = [{ kind: "output_token", per: 1_000_000, rate: "1" }];
  const priced = await send(account.session, "POST", "/operator/prices", {
    ...{ model: "svc/chat-1", api_type: "chat-completions", components },
  });
  expect(priced.status).toBe(201);
  await expect.poll(() => prices.book.isEmpty).toBe(false);
  const found = [
    ["acme/both", 42, dayAt(1)],
    ["acme/new", 2, dayAt(1)],
  ];
  expect(await causes()).toEqual(found);
  const words = describeNotice(
    {
      ...{ cause: "usage.not_priced", subjectId: "acme/both", count: 1 },
      data: { runs: 42, since: "2026-11-28" },
    },
    await messageWords("causes", null),
  );
  expect(words).toMatchObject({ title: "acme/both runs without a price", path: "/operator/prices" });
  expect(words.text).toMatch(/^42 runs since 2026-11-28 \(UTC\) are in no bill/);
  await database.pool.query("update usage_sums set runs = runs + 3 where model = 'acme/new'");
  expect(await causes()).toEqual(found);
});
