import {
  type LoadList,
  loadRoutes,
  maxLoadGroups,
  type OperatorLoadGroup,
  operatorLoadRoutes,
  otherLoadGroups,
} from "#contract/load.ts";
import type { MonitoringContext } from "#gateway/monitoring/context.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { inArray } from "#gateway/platform/database/drizzle.ts";
import { accounts, apiKeys, users } from "#gateway/platform/database/schema.ts";
import {
  addLoad,
  type Load,
  type LoadLabels,
  noLoad,
  readLoad,
  refreshLoad,
} from "#gateway/platform/figures/load.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";

/** Who loads the system in these minutes (an extension). */
export function installLoad(app: App, context: MonitoringContext): void {
  serve(app, context, loadRoutes, {
    "GET /account/load": ({ caller, query }) =>
      listLoad(context, query.by ?? "key", query.minutes, caller.actor.accountId),
  });
  serve(app, context, operatorLoadRoutes, {
    "GET /operator/load": ({ query }) =>
      listLoad(context, query.by ?? "account", query.minutes, query.account_id ?? null),
  });
}

const usualMinutes = 5;

const labelOf = {
  account: "accountId",
  key: "keyId",
  model: "model",
  provider: "provider",
  route: "operation",
  region: "region",
} as const satisfies Record<OperatorLoadGroup, keyof LoadLabels>;

interface Amounts extends Load, LoadLabels {
  waiting?: number;
  deliveries?: number;
}

interface Tally extends Load {
  /** Empty: none. */
  group: string;
  accountId: string;
  waiting: number;
  deliveries: number;
}

/** The load of one account, or of all. */
async function listLoad(
  { database }: MonitoringContext,
  by: OperatorLoadGroup,
  minutes = usualMinutes,
  accountId: string | null,
): Promise<LoadList> {
  await refreshLoad(database);
  const handled: Amounts[] = await readLoad(database, minutes, accountId);
  const queued = await readQueued(database, accountId);
  const tallies = new Map<string, Tally>();
  const total = tallyOf("", "");
  const isOfAccount = by === "account" || by === "key";
  for (const { deliveries = 0, waiting = 0, ...row } of [...handled, ...queued]) {
    // Deliveries that are due have only an account. In another group they would be a row of zeros.
    if (deliveries > 0 && by !== "account") {
      total.deliveries += deliveries;
      continue;
    }
    const group = row[labelOf[by]] ?? "";
    const owner = isOfAccount && group !== otherLoadGroups ? row.accountId : "";
    const name = `${owner} ${group}`;
    const tally = tallies.get(name) ?? tallyOf(group, owner);
    tallies.set(name, tally);
    for (const one of [tally, total]) {
      addLoad(one, row);
      one.waiting += waiting;
      one.deliveries += deliveries;
    }
  }
  const sorted = [...tallies.values()].sort(
    (one, other) => other.processorMs - one.processorMs || other.running - one.running,
  );
  const shown = withOthers(sorted);
  const names = await namesOf(database, shown);
  return {
    object: "list",
    minutes,
    by,
    data: shown.map((tally) => ({
      group: tally.group || null,
      name: names.get(tally.group) ?? null,
      account_id: tally.accountId || null,
      account_name: names.get(tally.accountId) ?? null,
      ...amountsOf(tally),
      deliveries: by === "account" ? tally.deliveries : null,
    })),
    total: { ...amountsOf(total), deliveries: total.deliveries },
  };
}

function tallyOf(group: string, accountId: string): Tally {
  return { group, accountId, ...noLoad(), waiting: 0, deliveries: 0 };
}

/** The largest groups, with all smaller ones added up as the last. */
function withOthers(sorted: readonly Tally[]): Tally[] {
  const isOther = ({ group }: Tally, at: number) => group === otherLoadGroups || at >= maxLoadGroups;
  const others = tallyOf(otherLoadGroups, "");
  for (const tally of sorted.filter(isOther)) {
    addLoad(others, tally);
    others.waiting += tally.waiting;
    others.deliveries += tally.deliveries;
  }
  const largest = sorted.filter((tally, at) => !isOther(tally, at));
  return largest.length === sorted.length ? largest : [...largest, others];
}

function amountsOf(tally: Tally): Omit<LoadList["total"], "deliveries"> {
  const { requests, bytesIn, bytesOut, processorMs, running, waiting } = tally;
  return {
    ...{ requests, bytes_in: bytesIn, bytes_out: bytesOut, running, waiting },
    processor_ms: Math.round(processorMs),
  };
}

/** Rows beyond this number are not counted. */
const maxQueued = 50_000;

/** What has not ended: predictions at a provider, predictions and batch rows that wait, and deliveries that are due. */
async function readQueued({ pool }: Pick<Database, "pool">, accountId: string | null): Promise<Amounts[]> {
  const own = accountId === null ? "" : "and account_id = $1";
  const { rows } = await pool.query<
    Required<LoadLabels> & Record<"running" | "waiting" | "deliveries", number>
  >(
    `select account_id as "accountId", coalesce(key_id, user_id, '') as "keyId", model,
       coalesce(provider, '') as provider, svc_region as region, api_type as operation,
       (count(*) filter (where status = 'processing'))::int as running,
       (count(*) filter (where status = 'starting'))::int as waiting, 0 as deliveries
     from (select * from predictions where status in ('starting', 'processing') ${own} limit ${maxQueued}) as p
     group by 1, 2, 3, 4, 5, 6
     union all
     select account_id, coalesce(key_id, user_id, ''), model, '', '', api_type, 0, count(*)::int, 0
     from (select b.account_id, b.key_id, b.user_id, r.model, b.api_type
       from (select * from batches where status = 'running' ${own}) as b
       join batch_rows r on r.batch_id = b.id and r.status = 'queued' limit ${maxQueued}) as q
     group by 1, 2, 3, 6
     union all
     select account_id, '', '', '', '', 'webhook delivery', 0, 0, count(*)::int
     from (select account_id from webhook_deliveries d
       where status in ('pending', 'failed') and next_attempt_at <= now() ${own} and not exists (
         select from accounts a where a.id = d.account_id and a.suspension is not null) limit ${maxQueued}) as d
     group by 1`,
    accountId === null ? [] : [accountId],
  );
  return rows.map((row) => ({ ...noLoad(), ...row }));
}

/** The names of the accounts, keys and members of the groups. */
async function namesOf(
  { queries }: Pick<Database, "queries">,
  tallies: readonly Tally[],
): Promise<Map<string, string>> {
  const ids = [...new Set(tallies.flatMap(({ group, accountId }) => [group, accountId]))];
  const found = await Promise.all(
    [accounts, apiKeys, users].map((table) =>
      queries.select({ id: table.id, name: table.name }).from(table).where(inArray(table.id, ids)),
    ),
  );
  return new Map(found.flat().map(({ id, name }) => [id, name]));
}
