import { type Counted, maxCounted } from "#contract/list.ts";
import { taskLimits } from "#contract/money/budget-constants.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { Cause } from "#contract/notice-constants.ts";
import { maxGroupedUnread, type Notice, type NoticeGroup } from "#contract/notices.ts";
import type { DeliveryFilter } from "#contract/webhook.ts";
import { isDeliveryError } from "#contract/webhook-constants.ts";
import { countInCondition } from "#gateway/events/webhooks/endpoints/read.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, desc, eq, inArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import {
  webhookDeliveries as deliveries,
  webhookDeliveryKeys as keys,
  notices,
} from "#gateway/platform/database/schema.ts";
import {
  describeNotice,
  manyFrom,
  type NoticeTexts,
  type NoticeWords,
  plain,
  reasonWords,
  say,
} from "./describe-notice.ts";

/*
 * Groups the unread notices for the reader: notices with the same cause and reason become one line, and so do many of one
 * cause, because two hundred endpoints that fail are one problem.
 */

type NoticeRow = typeof notices.$inferSelect;

/** The data of a line that stands for several notices. */
interface Many {
  /** The number of subjects, such as endpoints. */
  subjects: Counted;
  /** The number of events over all subjects. */
  times: Counted;
  /** The `error_code` of the attempts; empty if unknown, or if the codes differ. */
  error: string;
}

const withError = ({ error }: Many) => (isDeliveryError(error) ? `&error_code=${error}` : "");

/** The message and the page of a line about many notices of a cause. */
const lines: Partial<Record<Cause, readonly [key: string, path: (many: Many) => string]>> = {
  "endpoint.failing": ["groupFailing", (many) => `/webhooks/deliveries?status=failed${withError(many)}`],
  "endpoint.disabled": ["groupDisabled", () => "/webhooks/endpoints?status=auto-disabled"],
  "endpoint.recovered": ["groupRecovered", () => "/webhooks/endpoints"],
  "delivery.exhausted": [
    "groupUndelivered",
    (many) => `/webhooks/deliveries?status=dead-letter${withError(many)}`,
  ],
};

function describeMany(cause: Cause, many: Many, t: NoticeTexts): NoticeWords | null {
  const line = lines[cause];
  if (!line) return null;
  const { subjects, times, error } = many;
  const shown = ({ count, more }: Counted) => `${count.toLocaleString(t.language)}${more ? "+" : ""}`;
  const values = {
    // A plural also when there are more than were counted.
    subjects: subjects.count,
    endpoints: shown(subjects),
    times: times.count,
    events: shown(times),
    has_error: error ? "yes" : "no",
    why: reasonWords(t, error),
  };
  const [key, path] = line;
  return { title: say(t, key, values), text: say(t, `${key}Advice`), path: path(many) };
}

/** The deliveries that a bulk retry sends again. */
function retryOf({ cause }: NoticeRow, error: string): DeliveryFilter | null {
  const status =
    cause === "delivery.exhausted" ? "dead-letter" : cause === "endpoint.failing" ? "failed" : null;
  if (status === null) return null;
  return { status, retried: false, ...(isDeliveryError(error) && { error_code: error }) };
}

/**
 * Doubles the limits at which the task was refused. The new limits are fixed numbers, so a second click
 * raises nothing.
 */
export function raiseOf({ cause, subjectId, data }: NoticeRow): Notice["raise"] {
  if (cause !== "task.refused") return null;
  const { amount, max_runs: maxRuns } = data;
  return {
    task_id: subjectId ?? "",
    amount: typeof amount === "string" ? decimalText(2n * decimalOf(amount)) : null,
    max_runs: typeof maxRuns === "number" ? Math.min(2 * maxRuns, taskLimits.maxRuns) : null,
  };
}

/**
 * The unread notices in this list, by cause and reason. Every cause is there, with exact counts; the words are
 * chosen by its newest notices. `among` matches the notices of a group.
 */
export async function groupUnread(
  queries: Queries,
  unread: SQL | undefined,
  t: NoticeTexts,
): Promise<(NoticeGroup & { among: SQL })[]> {
  const rows = await newestUnread(queries, unread);
  const isCut = rows.length === maxGroupedUnread;
  const sums = isCut ? await sumUnread(queries, unread) : new Map<Cause, Sum>();
  const shown = new Set(rows.map(({ cause }) => cause));
  const hidden = [...sums.keys()].filter((cause) => !shown.has(cause));
  if (hidden.length > 0)
    rows.push(...(await newestUnread(queries, and(unread, inArray(notices.cause, hidden)))));
  const errorOf = await readErrors(queries, rows);
  const byCause = Map.groupBy(rows, ({ cause }) => cause);
  const sumOf = (cause: Cause): Sum => sums.get(cause) ?? sumIn(byCause.get(cause) ?? []);
  // Many notices of one cause are one line, whatever their reasons: a mass failure rarely has a single one.
  const isMany = ({ cause }: NoticeRow) => lines[cause] !== undefined && sumOf(cause).notices >= manyFrom;
  const groups = Map.groupBy(rows, (row) => keyOf(row, isMany(row) ? "" : errorOf(row)));
  const troubles = await readTroubles(queries, rows.filter(isMany));
  return [...groups].flatMap(([key, members]) => {
    const [newest] = members;
    if (!newest) return [];
    const { cause } = newest;
    const errors = new Set(members.map(errorOf));
    const error = errors.size === 1 ? errorOf(newest) : "";
    const sum = isMany(newest) ? sumOf(cause) : sumIn(members);
    const ids = members.map(({ id }) => id);
    const among = isMany(newest) ? eq(notices.cause, cause) : inArray(notices.id, ids);
    const now = isMany(newest) ? troubles[cause] : undefined;
    const subjects = now === undefined ? { count: sum.notices, more: sum.more } : { count: now, more: false };
    return [{ ...groupOf(t, key, newest, members, { ...sum, subjects, error }), among }];
  });
}

function newestUnread(queries: Queries, unread: SQL | undefined): Promise<NoticeRow[]> {
  return queries.select().from(notices).where(unread).orderBy(desc(notices.id)).limit(maxGroupedUnread);
}

interface Sum {
  notices: number;
  /** The number of events: a notice counts all until it is read. */
  times: number;
  /** Whether there are more than were counted. */
  more: boolean;
}

function sumIn(rows: readonly NoticeRow[]): Sum {
  return { notices: rows.length, times: rows.reduce((sum, { count }) => sum + count, 0), more: false };
}

/** The unread notices by cause. Reads the newest `maxCounted`. */
async function sumUnread(queries: Queries, unread: SQL | undefined): Promise<Map<Cause, Sum>> {
  const { rows } = await queries.execute<Sum & { cause: Cause } & Record<string, unknown>>(sql`
    with seen as (
      select cause, count from ${notices} where ${unread ?? sql`true`} order by id desc limit ${maxCounted + 1}
    )
    select cause, count(*)::int as notices, sum(count)::int as times, (select count(*) > ${maxCounted} from seen) as more
    from seen group by cause`);
  return new Map(rows.map(({ cause, ...sum }) => [cause, sum]));
}

/**
 * How many endpoints fail or were stopped by now, whatever was reported: as many as Home counts. Endpoints that
 * a person disabled are none of them.
 */
async function readTroubles(
  queries: Queries,
  many: readonly NoticeRow[],
): Promise<Partial<Record<Cause, number>>> {
  const about = many.find(({ cause }) => cause === "endpoint.failing" || cause === "endpoint.disabled");
  if (!about?.accountId) return {};
  const [failing, stopped] = await Promise.all([
    countInCondition(queries, about.accountId, "failing"),
    countInCondition(queries, about.accountId, "auto-disabled"),
  ]);
  const byPeople = many.some(({ cause, data }) => cause === "endpoint.disabled" && data.reason === "manual");
  return { "endpoint.failing": failing, ...(!byPeople && { "endpoint.disabled": stopped }) };
}

function keyOf(row: NoticeRow, error: string): string {
  return lines[row.cause] ? [row.cause, row.accountId, error].filter(Boolean).join(" ") : row.id;
}

function groupOf(
  t: NoticeTexts,
  key: string,
  newest: NoticeRow,
  members: NoticeRow[],
  { notices, times, more, subjects, error }: Sum & Pick<Many, "subjects" | "error">,
): NoticeGroup {
  const many = { subjects, times: { count: times, more }, error };
  const words = (notices > 1 && describeMany(newest.cause, many, t)) || describeNotice(newest, t);
  const lastAt = Math.max(...members.map((member) => member.lastAt.getTime()));
  return {
    key,
    cause: newest.cause,
    ...words,
    notices,
    newest_id: newest.id,
    last_at: new Date(lastAt).toISOString(),
    retry: retryOf(newest, error),
    raise: raiseOf(newest),
  };
}

/**
 * How many deliveries of an endpoint are read to find why it fails: the newest one may still be in flight.
 */
const maxLookedAt = 3;

/** The `error_code` behind each notice about deliveries; empty if there is none. */
async function readErrors(queries: Queries, rows: readonly NoticeRow[]): Promise<(row: NoticeRow) => string> {
  const failing = rows.filter(({ cause }) => cause === "endpoint.failing");
  const [accountId] = failing.map((row) => row.accountId);
  const errors = new Map<string, string>();
  if (accountId) {
    const ids = failing.flatMap(({ subjectId }) => subjectId ?? []);
    const found = await queries.execute<{ id: string; error: string }>(sql`
      select endpoint.id, newest.last_error as error
      from unnest(${sql.param(ids)}::text[]) endpoint (id) cross join lateral (
        select last_error from (
          select delivery.last_error, key.id from ${keys} key inner join ${deliveries} delivery on delivery.id = key.id
          where key.account_id = ${accountId} and key.endpoint_id = endpoint.id
          order by key.id desc limit ${maxLookedAt}::int
        ) looked_at
        where last_error is not null order by id desc limit 1
      ) newest`);
    for (const { id, error } of found.rows) errors.set(id, error);
  }
  return ({ cause, subjectId, data }) => {
    if (cause === "delivery.exhausted") return plain(new Map(Object.entries(data)).get("error"));
    return cause === "endpoint.failing" ? (errors.get(subjectId ?? "") ?? "") : "";
  };
}
