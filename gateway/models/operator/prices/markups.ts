import { newId } from "#contract/ids.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { Markup, MarkupCreate, MarkupList } from "#contract/operator/prices.ts";
import type { Context } from "#gateway/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { desc, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { markups } from "#gateway/platform/database/schema.ts";
import { changeConfiguration } from "../change.ts";
import { assertAccountsExist, assertNotPast } from "./create.ts";

/** Enough for the accounts of an installation; those of one account are asked for by its id. */
const mostListed = 2_000;
const leastPercent = decimalOf("-100");

/** The versions of all markups, newest first. */
export async function listMarkups(queries: Queries, accountId?: string): Promise<MarkupList> {
  const rows = await selectMarkups(queries)
    .where(accountId === undefined ? undefined : eq(markups.accountId, accountId))
    .orderBy(desc(markups.id))
    .limit(mostListed);
  return { object: "list", data: rows.map(markupView) };
}

/** Each with the time at which the next one of its account begins: found in one pass over all, not for each row anew. */
function selectMarkups(queries: Queries) {
  return queries
    .select({ markup: markups, endsAt: sql<string | null>`versions.ends_at` })
    .from(markups)
    .innerJoin(versions, sql`versions.id = ${markups.id}`)
    .$dynamic();
}

const versions =
  sql.raw(`(select id, lead(effective_at) over (partition by account_id order by effective_at, id) as ends_at
  from markups) versions`);

/** Sets what an account pays above or below the cost; it follows the one before. Throws `invalid_parameter`. */
export async function createMarkup(context: Context, caller: Caller, wish: MarkupCreate): Promise<Markup> {
  const { account_id: accountId = null, effective_at: effectiveAt } = wish;
  assertNotPast(effectiveAt, "effective_at");
  const percent = decimalOf(wish.percent);
  if (percent < leastPercent)
    throw new ApiError("invalid_parameter", "percent must be at least -100: nobody is paid for a run.", {
      param: "percent",
    });
  return changeConfiguration(context, caller, async (queries) => {
    await assertAccountsExist(queries, new Set(accountId === null ? [] : [accountId]));
    const now = clock.date();
    const row = {
      id: newId("markup"),
      accountId,
      percent: decimalText(percent),
      effectiveAt: effectiveAt === undefined ? now : new Date(effectiveAt),
      createdAt: now,
    };
    await queries.insert(markups).values(row);
    const [listed] = await selectMarkups(queries).where(eq(markups.id, row.id));
    if (!listed) throw new Error("The markup was not saved");
    const targetId = accountId ?? "accounts";
    return {
      action: "markup.created",
      targetId,
      touches: [row.id],
      before: null,
      after: { ...row },
      result: markupView(listed),
    };
  });
}

interface ListedMarkup {
  markup: typeof markups.$inferSelect;
  endsAt: string | null;
}

function markupView({ markup: row, endsAt }: ListedMarkup): Markup {
  const now = clock.now();
  const ends = endsAt === null ? null : new Date(endsAt);
  return {
    id: row.id,
    object: "markup",
    account_id: row.accountId,
    percent: decimalText(decimalOf(row.percent)),
    status:
      ends && ends.getTime() <= now ? "replaced" : row.effectiveAt.getTime() > now ? "scheduled" : "in_force",
    effective_at: row.effectiveAt.toISOString(),
    ends_at: ends?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
