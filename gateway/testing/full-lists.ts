import type pg from "pg";
import type { Permission } from "#contract/accounts/permissions.ts";
import { newId } from "#contract/ids.ts";
import type { OutputQuery } from "#contract/outputs.ts";
import type { PredictionQuery } from "#contract/prediction.ts";
import { listAuditLogs } from "#gateway/access/accounts/audit.ts";
import { listRequests } from "#gateway/billing/usage/usage.ts";
import type { Context } from "#gateway/districts.ts";
import { listDeliveries } from "#gateway/events/webhooks/deliveries/read.ts";
import { listUploads } from "#gateway/files/uploads/read.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { listPredictions } from "#gateway/runs/predictions/read.ts";
import { listOutputs } from "#gateway/runs/provenance/read.ts";

/** Values that only the oldest rows have. */
const rare = 40;
/** Outputs without their files. */
const removedRows = 30_000;
/** Small enough that a statement stays below 30 s on a busy machine. */
const chunk = 25_000;
const user = newId("user");
const users = { common: newId("user"), rare: user, none: newId("user") };
const keys = { common: newId("key"), rare: newId("key"), none: newId("key") };
const idOf = (prefix: string) => `'${prefix}_01k' || lpad(n::text, 23, '0')`;
const either = (few: string, most: string) => `case when n < ${rare} then ${few} else ${most} end`;

const tables = {
  predictions: `
    insert into predictions (id, account_id, model, api_type, svc_region, status, deadline_at, metadata)
    select ${idOf("pred")}, $1, ${either("'svc/rare'", "'svc/model-' || n % 3")},
      ${either("'image-editing'", "'video-generation'")}, ${either("'eu-frankfurt'", "'us-virginia'")},
      ${either("'canceled'", "case when n % 10 = 0 then 'failed' else 'succeeded' end")}, now(),
      jsonb_build_object('customer', ${either("'rare'", "'common'")})`,
  // The event of the oldest prediction did not arrive.
  webhook_deliveries: `
    insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, prediction_id, url, status, trigger, attempts)
    select ${idOf("dlv")}, $1, ${idOf("evt")}, 'we_1', 'prediction.succeeded', ${idOf("pred")}, 'https://x.example',
      ${either("'dead-letter'", "'delivered'")}, 'automatic', 1`,
  request_logs: `
    insert into request_logs (id, account_id, at, method, route, status, code, model, key_id, user_id, duration_ms, from_session, failure, run_id, metadata)
    select ${idOf("req")}, $1, now(), ${either("'POST'", "'GET'")}, ${either("'/v1/videos'", "'/v1/predictions'")},
      ${either("429", "case when n % 10 = 0 then 404 else 200 end")}, ${either("'rate_limit_exceeded'", "null")},
      ${either("'svc/rare'", "case when n % 2 = 0 then 'svc/common' end")},
      ${either(`'${keys.rare}'`, `case when n % 3 > 0 then '${keys.common}' end`)},
      ${either(`'${users.rare}'`, `case when n % 3 = 0 then '${users.common}' end`)}, 1, n >= ${rare},
      case when n % 10 = 0 then jsonb_build_object('model', ${either("'svc/wanted-once'", "'svc/wanted'")}) end,
      case when n % 2 = 0 then ${idOf("gen")} end, jsonb_build_object('customer', ${either("'rare'", "'common'")})`,
  uploads: `
    insert into uploads (id, account_id, status, content_type, size_bytes, url_expires_at)
    select ${idOf("upl")}, $1, ${either("'rejected'", "'expired'")}, ${either("'video/mp4'", "'image/png'")}, 1, now()`,
  // The files of the older half were removed.
  outputs: `
    insert into outputs (id, account_id, run_id, position, model, sha256, content_type, size_bytes, expires_at, key,
      api_type, svc_region, key_id, user_id, metadata)
    select ${idOf("out")}, $1, ${idOf("gen")}, 1, ${either("'svc/rare'", "'svc/model-' || n % 3")}, '', ${either("'audio/wav'", "'image/png'")}, 1,
      now() + interval '1 day', case when n < ${rare} or n > ${removedRows} then 'outputs/' || n end,
      ${either("'text-to-speech'", "'image-generation'")}, ${either("'eu-frankfurt'", "'us-virginia'")},
      ${either(`'${keys.rare}'`, `case when n % 3 > 0 then '${keys.common}' end`)}, ${either(`'${user}'`, "null")},
      jsonb_build_object('customer', ${either("'rare'", "'common'")})`,
  audit_logs: `
    insert into audit_logs (id, account_id, action, actor_type, actor_name)
    select ${idOf("aud")}, $1, ${either("'account.created'", "'key.created'")}, 'user', 'Owner'`,
};

/** Fills the lists of an account with rows whose ids sort by time, like real ones. */
export async function fillLists(
  pool: pg.Pool,
  accountId: string,
  rows: number,
  wanted: readonly (keyof typeof tables)[] = Object.keys(tables) as (keyof typeof tables)[],
): Promise<void> {
  await pool.query(
    "insert into webhook_endpoints (id, account_id, url, events) values ('we_1', $1, 'https://x.example', '{}')",
    [accountId],
  );
  // A trigger fills the table of keys.
  const filled = [...wanted, "webhook_delivery_keys"];
  await withIndexesLast(pool, filled, async () => {
    for (const table of wanted)
      for (let first = 0; first < rows; first += chunk)
        await pool.query(`${tables[table]} from generate_series($2::int, $3::int) n`, [
          accountId,
          first,
          Math.min(first + chunk, rows) - 1,
        ]);
  });
  for (const table of filled) await pool.query(`vacuum analyze ${table}`);
}

/** Fills tables without their indexes, which are created after the rows: faster, with the same result. */
export async function withIndexesLast(
  pool: pg.Pool,
  names: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const { rows: indexes } = await pool.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes
     where tablename = any ($1) and indexname not in (select conname from pg_constraint)`,
    [names],
  );
  for (const { indexname } of indexes) await pool.query(`drop index ${indexname}`);
  await fill();
  for (const { indexdef } of indexes) await pool.query(indexdef);
}

/** Every list with every filter, with values that most rows have, few rows have and no row has. */
export function listCases(
  context: Context,
  accountId: string,
  rows: number,
): [string, () => Promise<unknown>][] {
  const casesOf = <Query extends object>(
    name: string,
    read: (context: Context, accountId: string, query: Query) => Promise<unknown>,
    queries: Query[],
  ) =>
    queries.map((query): [string, () => Promise<unknown>] => [
      `${name} ${new URLSearchParams(query as Record<string, string>)}`.trim(),
      () => read(context, accountId, query),
    ]);
  return [
    ...casesOf(
      "predictions",
      (context, accountId, query: PredictionQuery) => listPredictions(context, readerOf(accountId), query),
      [
        {},
        { after: middle("pred", rows) },
        { before: middle("pred", rows) },
        { status: "succeeded" },
        { status: "canceled" },
        { status: "processing" },
        { model: "svc/model-1" },
        { model: "svc/rare" },
        { model: "svc/none" },
        { api_type: "video-generation" },
        { api_type: "image-editing" },
        { api_type: "audio-transcription" },
        { svc_region: "us-virginia" },
        { svc_region: "eu-frankfurt" },
        { status: "failed", model: "svc/rare" },
        { model: "svc/model-1", svc_region: "eu-frankfurt" },
        { created_before: "2026-01-01T00:00:00Z" },
        { created_after: "2030-01-01T00:00:00Z" },
        { metadata: "customer=common" },
        { metadata: "customer=rare" },
        { metadata: "customer=none" },
        { metadata: "customer=common", status: "failed" },
        { metadata: "customer=rare", status: "failed" },
        ...undeliveredQueries(rows),
      ],
    ),
    ...casesOf("deliveries", listDeliveries, [
      { metadata: "customer=common" },
      { metadata: "customer=rare" },
      { metadata: "customer=none" },
      { metadata: "customer=common", status: "delivered" },
      { metadata: "customer=common", status: "failed", retried: false },
      { metadata: "customer=common", status: "waiting" },
      { metadata: "customer=rare", status: "dead-letter", retried: false },
    ]),
    ...casesOf("requests", listRequests, [
      {},
      { after: middle("req", rows) },
      { status: 200 },
      { status: 429 },
      { status: 500 },
      { status_class: "4xx" },
      { status_class: "5xx" },
      { code: "rate_limit_exceeded" },
      { code: "service_unavailable" },
      { route: "predictions" },
      { route: "/v1/videos" },
      { route: "none" },
      { model: "svc/common" },
      { model: "svc/rare" },
      { model: "svc/none" },
      { model: "svc/wanted" },
      { model: "svc/wanted-once" },
      { model: "svc/wanted", after: middle("req", rows) },
      { key_id: keys.common },
      { key_id: keys.rare },
      { key_id: keys.none },
      { user_id: users.common },
      { user_id: users.rare },
      { user_id: users.none },
      { actor: "key" },
      { actor: "user" },
      { console_reads: false },
      { console_reads: false, status: 500 },
      { runs: true },
      { metadata: "customer=common" },
      { metadata: "customer=rare" },
      { metadata: "customer=none" },
      { metadata: "customer=common", status_class: "4xx" },
      { metadata: "customer=common", status_class: "5xx" },
      { metadata: "customer=rare", status_class: "5xx" },
      { created_before: "2026-01-01T00:00:00Z" },
      { created_after: "2030-01-01T00:00:00Z" },
    ]),
    ...casesOf("uploads", listUploads, [
      {},
      { status: "expired" },
      { status: "rejected" },
      { status: "pending" },
      { kind: "image" },
      { kind: "video" },
      { kind: "audio" },
      { status: "expired", kind: "video" },
    ]),
    ...casesOf("outputs", outputsOf, [
      {},
      { limit: 100, after: middle("out", rows) },
      { before: middle("out", rows) },
      { kind: "image" },
      { kind: "audio" },
      { kind: "video" },
      { model: "svc/model-1" },
      { model: "svc/rare" },
      { model: "svc/none" },
      { api_type: "image-generation" },
      { api_type: "text-to-speech" },
      { svc_region: "eu-frankfurt" },
      { kind: "image", model: "svc/rare" },
      { key_id: keys.common },
      { key_id: keys.rare },
      { key_id: keys.none },
      { key_id: keys.common, after: middle("out", rows) },
      { user_id: user },
      { user_id: user, kind: "image" },
      { key_id: keys.common, kind: "image", after: middle("out", rows) },
      { metadata: "customer=common" },
      { metadata: "customer=rare" },
      { metadata: "customer=none" },
      { created_before: "2026-01-01T00:00:00Z" },
      { created_after: "2030-01-01T00:00:00Z" },
    ]),
    ...casesOf("audit log", listAuditLogs, [
      {},
      { action: "key.created" },
      { action: "account.created" },
      { action: "key.revoked" },
    ]),
  ];
}

function undeliveredQueries(rows: number): PredictionQuery[] {
  const deliveries = "undelivered";
  return [
    { deliveries },
    { deliveries, after: middle("pred", rows) },
    { deliveries, before: middle("pred", rows) },
    { deliveries, status: "succeeded" },
    { deliveries, model: "svc/rare" },
    { deliveries, metadata: "customer=rare" },
    { deliveries, metadata: "customer=none" },
    { deliveries, created_after: "2030-01-01T00:00:00Z" },
  ];
}

const middle = (prefix: string, rows: number) =>
  `${prefix}_01k${String(Math.floor(rows / 2)).padStart(23, "0")}`;

/** The outputs for a reader without attestations. */
function outputsOf(context: Context, accountId: string, query: OutputQuery) {
  const actor = readerOf(accountId);
  return listOutputs(context, actor, query);
}

function readerOf(accountId: string): Actor {
  const permissions: ReadonlySet<Permission> = new Set(["deliveries:read"]);
  const reader = {
    kind: "user" as const,
    accountId,
    userId: "usr_none",
    answeredBy: "usr_none",
    permissions,
  };
  return reader as Partial<Actor> as Actor;
}

/**
 * Forty rare rows that are looked up in two tables, through indexes of four levels, are 320 pages. A list that scans
 * all rows of its account reads thousands.
 */
const maxPages = 500;

interface Statement {
  text: string;
  values: unknown[];
}

/** Keeps the `select` statements of a pool. `take` returns those since the last call. */
export function watchStatements(pool: pg.Pool): { take(): Statement[] } {
  let seen: Statement[] = [];
  const query = pool.query.bind(pool);
  pool.query = ((config: { text?: string }, values: unknown[]) => {
    if (config.text?.startsWith("select")) seen.push({ text: config.text, values: [...values] });
    return query(config as never, values as never);
  }) as typeof pool.query;
  return {
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
  };
}

/** The lists, each with its plan, that read more than a few pages of their tables. */
export async function listsThatReadMuch(
  pool: pg.Pool,
  cases: readonly [string, () => Promise<unknown>][],
): Promise<string[]> {
  const tooMany: string[] = [];
  const statements = watchStatements(pool);
  for (const [name, list] of cases) {
    statements.take();
    await list();
    const [statement = { text: "", values: [] }] = statements.take();
    const { pages, isMuch, lines } = await pagesOf(pool, statement);
    if (isMuch) tooMany.push(`${name}: ${pages} pages\n${lines.join("\n")}`);
  }
  return tooMany;
}

/** How many pages a statement reads, and its plan. */
export async function pagesOf(pool: pg.Pool, { text, values }: Statement) {
  const { rows: plan } = await pool.query<{ "QUERY PLAN": string }>(
    `explain (analyze, buffers, timing off) ${text}`,
    values,
  );
  const lines = plan.map((line) => line["QUERY PLAN"]);
  const [, hit = "0", fromDisk = "0"] =
    /shared hit=(\d+)(?: read=(\d+))?/.exec(lines.find((line) => line.includes("Buffers")) ?? "") ?? [];
  const pages = Number(hit) + Number(fromDisk);
  return { pages, isMuch: pages === 0 || pages > maxPages, lines };
}
