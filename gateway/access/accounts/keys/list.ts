import type { ApiKey, KeyQuery } from "#contract/accounts/keys.ts";
import type { List } from "#contract/list.ts";
import { usedThisMonth } from "#gateway/billing/usage/used-this-month.ts";
import type { BaseContext } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, isNotNull, isNull, not, or } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import { apiKeys } from "#gateway/platform/database/schema.ts";
import { isAnswered } from "./answered.ts";
import { visibleKeys } from "./owner.ts";
import { keyViews } from "./view.ts";

/**
 * The keys that the caller is allowed to see, including revoked ones, newest first. Keys of connections have
 * their own list.
 */
export function listKeys(context: BaseContext, actor: Actor, query: KeyQuery): Promise<List<ApiKey>> {
  const { queries } = context.database;
  const page = keyset("key", apiKeys.id, query, [
    visibleKeys(actor),
    isNull(apiKeys.boundTo),
    query.user_id === undefined ? undefined : eq(apiKeys.userId, query.user_id),
    query.kind === "personal" ? isNotNull(apiKeys.userId) : undefined,
    query.kind === "service" ? isNull(apiKeys.userId) : undefined,
    query.answered_by === "none" ? isUnanswered(queries) : undefined,
    foundBy(query.search, {
      idColumn: apiKeys.id,
      among: eq(apiKeys.accountId, actor.accountId),
      texts: [apiKeys.name, apiKeys.hint],
    }),
  ]);
  return readPage(queries, page, queries.select().from(apiKeys).$dynamic(), async (rows) =>
    keyViews(queries, rows, await usedThisMonth(context, rows)),
  );
}

/** Active service keys that cannot run gated operations, because nobody is responsible for them. */
function isUnanswered(queries: Queries) {
  return and(
    isNull(apiKeys.userId),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, clock.date())),
    not(isAnswered(queries)),
  );
}
