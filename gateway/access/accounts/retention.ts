import type { ErrorDetail } from "#contract/error.ts";
import { eraseContentKey } from "#gateway/access/contents/keys.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import { isShorter } from "#gateway/platform/database/retention.ts";
import { accounts, conversations, keptOutputs, presets } from "#gateway/platform/database/schema.ts";
import { limitsWith } from "./limits.ts";
import { setLimitColumns, setLimitsIn } from "./set-limits.ts";

/*
 * An owner may choose that the account keeps inputs and outputs for a shorter time than the installation does. What
 * people keep on purpose would last longer, so it is refused then, and removed when the time is chosen.
 */

const minuteMs = 60_000;
const dayMinutes = 1_440;

/**
 * Sets how long the account keeps inputs and outputs; null: as long as the installation. Call it in a transaction, and
 * `retention.reread` after its commit. Throws `invalid_parameter` for a time that the operator does not allow, and
 * `retention_removes_kept` while something is kept that must be removed first (`removesKept`).
 */
export async function chooseRetention(
  queries: Queries,
  config: Config,
  accountId: string,
  { minutes, removesKept }: { minutes: number | null; removesKept: boolean },
): Promise<void> {
  const [account] = await queries
    .select({
      retentionSeconds: accounts.retentionSeconds,
      contents: accounts.contents,
      ...setLimitColumns,
    })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("no key update", { of: accounts });
  const current = account?.retentionSeconds ?? null;
  if (minutes !== null) {
    assertAllowed(config, minutes, {
      shortest: limitsWith(config, account && setLimitsIn(account)).shortest_retention_minutes,
      current: current === null ? null : current / 60,
    });
    const contentsGo = (account?.contents?.days ?? 0) * dayMinutes > minutes;
    const kept = await keptThings(queries, accountId, contentsGo);
    if (kept.length > 0 && !removesKept)
      throw new ApiError(
        "retention_removes_kept",
        `The account keeps ${kept.map(({ message }) => message).join(", ")}. They would outlast the new retention. Send remove_kept: true to remove them with this change.`,
        { param: "remove_kept", details: kept },
      );
    await removeKept(queries, accountId, contentsGo);
  }
  await queries
    .update(accounts)
    .set({
      retentionSeconds: minutes === null ? null : minutes * 60,
      retentionChangedAt: sql`now()`,
    })
    .where(eq(accounts.id, accountId));
}

/** An owner may always choose a longer time than the current one, also after an operator has changed the limit. */
function assertAllowed(
  config: Config,
  minutes: number,
  { shortest, current }: { shortest: number | null; current: number | null },
): void {
  const param = "retention_minutes";
  if (minutes * minuteMs >= config.retentionMs)
    throw invalidParameter(
      param,
      `This installation keeps inputs and outputs for ${config.retentionMs / minuteMs} minutes. Choose fewer, or null for the same.`,
    );
  if (minutes >= Math.min(shortest ?? Number.POSITIVE_INFINITY, current ?? Number.POSITIVE_INFINITY)) return;
  throw invalidParameter(
    param,
    shortest === null
      ? "The operator of this installation allows no shorter retention (`SHORTEST_RETENTION_MINUTES`, or a limit of the account)."
      : `The operator allows at least ${shortest} minutes (\`shortest_retention_minutes\`).`,
  );
}

/** What the account keeps for longer than a shorter retention, with its number in words. */
async function keptThings(queries: Queries, accountId: string, contents: boolean): Promise<ErrorDetail[]> {
  const counted = [
    ["kept_outputs", await queries.$count(keptOutputs, isKept(accountId))],
    ["presets", await queries.$count(presets, eq(presets.accountId, accountId))],
    ["conversations", await queries.$count(conversations, eq(conversations.accountId, accountId))],
  ] as const;
  const kept = (keyword: string, message: string) => ({ path: "/remove_kept", keyword, message });
  const things = counted.flatMap(([keyword, count]) => {
    const name = keyword.replace("_", " ");
    return count === 0 ? [] : [kept(keyword, `${count} ${count === 1 ? name.slice(0, -1) : name}`)];
  });
  return contents ? [...things, kept("contents", "contents of calls")] : things;
}

/** Files of the library are removed by its sweep. */
async function removeKept(queries: Queries, accountId: string, contents: boolean): Promise<void> {
  await queries.update(keptOutputs).set({ goesAt: clock.date() }).where(isKept(accountId));
  await queries.delete(presets).where(eq(presets.accountId, accountId));
  await queries.delete(conversations).where(eq(conversations.accountId, accountId));
  if (!contents) return;
  await eraseContentKey(queries, accountId);
  await queries.update(accounts).set({ contents: null }).where(eq(accounts.id, accountId));
}

function isKept(accountId: string) {
  return and(eq(keptOutputs.accountId, accountId), isNull(keptOutputs.goesAt));
}

/**
 * Call it in the transaction that would keep something for longer than a run's inputs and outputs; `what` begins the
 * message, such as "Presets". Throws `shorter_retention`.
 */
export async function assertMayKeep(
  queries: Queries,
  config: Pick<Config, "retentionMs">,
  accountId: string,
  what: string,
): Promise<void> {
  // Locked, so that a change of the retention either removes what is kept here or comes first.
  const [account] = await queries
    .select({ seconds: accounts.retentionSeconds })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("share");
  const seconds = account?.seconds ?? null;
  if (seconds !== null && isShorter(config, seconds)) throw outlasts(what, seconds / 60);
}

/** The refusal of everything that would outlast the retention that an account's owner chose. */
export function outlasts(what: string, minutes: number): ApiError {
  return new ApiError(
    "shorter_retention",
    `${what} would outlast the account's retention: an owner chose that inputs and outputs are removed ${minutes} minutes after a run (\`retention_minutes\` of the account).`,
  );
}
