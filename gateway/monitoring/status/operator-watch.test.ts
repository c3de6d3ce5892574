import { expect, test } from "vitest";
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
  for (let times = 0; times < 2; times += 1) await recordOperatorCauses(gateway.context, [late]);
  const { rows } = await pool.query(
    `select cause, subject_id from notice_causes where account_id is null order by 1, 2`,
  );
  expect(rows.filter(({ cause }) => !cause.startsWith("database."))).toEqual([
    { cause: "provider.bill_unpaid", subject_id: "quota us-virginia" },
    { cause: "provider.bill_unpaid", subject_id: "unpaid us-virginia" },
    { cause: "provider.key_refused", subject_id: "refused us-virginia" },
    { cause: "provider.unhealthy", subject_id: "down us-virginia svc/chat-1" },
    { cause: "retention.lagging", subject_id: "uploads" },
  ]);
  const account = await gateway.createAccount();
  expect((await send(account.session, "GET", "/notices?cause=provider.key_refused")).body.data).toEqual([]);
});
