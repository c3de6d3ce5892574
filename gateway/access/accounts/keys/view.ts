import type { Scope } from "#contract/accounts/constants.ts";
import type { ApiKey, Quantities } from "#contract/accounts/keys.ts";
import type { Person } from "#contract/accounts/people.ts";
import { rolesWith } from "#contract/accounts/permissions.ts";
import { readBudgetStates } from "#gateway/billing/budgets/state.ts";
import { usedOf } from "#gateway/billing/usage/used-this-month.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, exists, inArray, isNull, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, members } from "#gateway/platform/database/schema.ts";
import { type People, readPeople } from "../people.ts";
import { tokenRatesView } from "../token-rates.ts";

export type KeyRow = typeof apiKeys.$inferSelect;

/** The public views of keys, without their secrets. `used`: this month's usage by key id. */
export async function keyViews(
  queries: Queries,
  rows: readonly KeyRow[],
  used: ReadonlyMap<string, Quantities> = new Map(),
): Promise<ApiKey[]> {
  const people = await readPeople(
    queries,
    rows.flatMap((row) => [row.userId, row.answeredBy, row.createdBy]),
  );
  const answered = await answeredAmong(queries, rows);
  const budgets = await readBudgetStates(
    queries,
    rows.map((row) => ({ holder: row.id, budgets: row.budgets })),
  );
  return rows.map((row) => ({
    ...keyView(row, people, answered.has(row.id), used.get(row.id)),
    budgets: budgets.get(row.id) ?? [],
  }));
}

async function answeredAmong(queries: Queries, rows: readonly KeyRow[]): Promise<Set<string>> {
  const ids = rows.filter(({ answeredBy }) => answeredBy !== null).map(({ id }) => id);
  if (ids.length === 0) return new Set();
  const found = await queries
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(inArray(apiKeys.id, ids), isAnswered(queries)));
  return new Set(found.map(({ id }) => id));
}

/**
 * SQL: whether a key of the query has a responsible member whose role allows that. A person who has left or
 * changed to a role without that right does not count, although the key's row may still name them.
 */
export function isAnswered(queries: Queries): SQL {
  const roles = [...rolesWith("attestations:answer")];
  return exists(
    queries
      .select({ one: sql`1` })
      .from(members)
      .where(
        and(
          sql`${members.accountId} = ${apiKeys.accountId}`,
          sql`${members.userId} = ${apiKeys.answeredBy}`,
          inArray(members.role, roles),
        ),
      ),
  );
}

function keyView(
  row: KeyRow,
  people: People,
  hasAnswer: boolean,
  used: Quantities = {},
): Omit<ApiKey, "budgets"> {
  return {
    id: row.id,
    object: "api_key",
    name: row.name,
    kind: row.userId === null ? "service" : "personal",
    member: people.find(row.userId),
    answered_by: hasAnswer ? people.find(row.answeredBy) : null,
    created_by: people.find(row.createdBy),
    hint: row.hint,
    scopes: row.scopes as Scope[],
    models: row.models,
    regions: row.regions,
    allowed_origins: row.allowedOrigins,
    networks: row.networks,
    requests_per_minute: row.requestsPerMinute,
    ...tokenRatesView(row),
    max_concurrency: row.maxConcurrency,
    operator_limits: row.operatorLimits,
    monthly_budget: row.monthlyBudget,
    used_this_month: usedOf(row.monthlyBudget, used),
    task_budget: row.taskBudget,
    contents: row.contents ?? "inherit",
    expires_at: row.expiresAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

/** The service keys that each member is responsible for. */
export async function answeredKeys(queries: Queries, accountId: string): Promise<Map<string, Person[]>> {
  const rows = await queries
    .select({ id: apiKeys.id, name: apiKeys.name, answeredBy: apiKeys.answeredBy })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.accountId, accountId),
        isNull(apiKeys.userId),
        isNull(apiKeys.revokedAt),
        isAnswered(queries),
      ),
    )
    .orderBy(asc(apiKeys.id));
  const keys = new Map<string, Person[]>();
  for (const { id, name, answeredBy } of rows)
    if (answeredBy !== null) keys.set(answeredBy, [...(keys.get(answeredBy) ?? []), { id, name }]);
  return keys;
}
