import { taskLimits } from "#contract/money/budget-constants.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { Cause } from "#contract/notice-constants.ts";
import { maxGroupedUnread, type Notice, type NoticeGroup } from "#contract/notices.ts";
import type { DeliveryFilter } from "#contract/webhook.ts";
import { isDeliveryError } from "#contract/webhook-constants.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { desc, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import {
  webhookDeliveries as deliveries,
  webhookDeliveryKeys as keys,
  notices,
} from "#gateway/platform/database/schema.ts";
import {
  counted,
  describeNotice,
  manyFrom,
  type NoticeWords,
  plain,
  reasonWords,
} from "./describe-notice.ts";

/*
 * Groups the unread notices for the reader: notices with the same cause and reason become one line, and so do many of one
 * cause, because two hundred endpoints that fail are one problem.
 */

type NoticeRow = typeof notices.$inferSelect;

/** The data of a line that stands for several notices. */
interface Many {
  /** The number of subjects, such as endpoints. */
  subjects: number;
  /** The number of events over all subjects. */
  times: number;
  /** The `error_code` of the attempts; empty if unknown, or if the codes differ. */
  error: string;
}

const because = ({ error }: Many) => error && `: ${reasonWords(error)}`;
const withError = ({ error }: Many) => (isDeliveryError(error) ? `&error_code=${error}` : "");

const manyWriters: Partial<Record<Cause, (many: Many) => NoticeWords>> = {
  "endpoint.failing": (many) => ({
    title: `${counted(many.subjects, "endpoint")} fail${because(many)}`,
    text: "Deliveries are retried. After days without success an endpoint is disabled.",
    path: `/webhooks/deliveries?status=failed${withError(many)}`,
  }),
  "endpoint.disabled": ({ subjects }) => ({
    title: `${counted(subjects, "endpoint")} were disabled`,
    text: "Events wait. Fix the receivers, then enable the endpoints and send what they missed.",
    path: "/webhooks/endpoints?status=auto-disabled",
  }),
  "endpoint.recovered": ({ subjects }) => ({
    title: `${counted(subjects, "endpoint")} work again`,
    text: "Send what they missed from their pages.",
    path: "/webhooks/endpoints",
  }),
  "delivery.exhausted": (many) => ({
    title: `${counted(many.times, "event")} did not reach ${counted(many.subjects, "endpoint")}${because(many)}`,
    text: "All attempts failed. Nothing more is sent until somebody retries.",
    path: `/webhooks/deliveries?status=dead-letter${withError(many)}`,
  }),
};

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

/** The newest unread notices in this list, by cause and reason. */
export async function groupUnread(
  queries: Queries,
  unread: SQL | undefined,
): Promise<(NoticeGroup & { ids: string[] })[]> {
  const rows = await queries
    .select()
    .from(notices)
    .where(unread)
    .orderBy(desc(notices.id))
    .limit(maxGroupedUnread);
  const errorOf = await readErrors(queries, rows);
  const perCause = Map.groupBy(rows, (row) => keyOf(row, ""));
  // Many notices of one cause are one line, whatever their reasons: a mass failure rarely has a single one.
  const isMany = (row: NoticeRow) => (perCause.get(keyOf(row, ""))?.length ?? 0) >= manyFrom;
  const groups = Map.groupBy(rows, (row) => keyOf(row, isMany(row) ? "" : errorOf(row)));
  return [...groups].flatMap(([key, members]) => {
    const [newest] = members;
    if (!newest) return [];
    const errors = new Set(members.map(errorOf));
    const error = errors.size === 1 ? errorOf(newest) : "";
    return [{ ...groupOf(key, newest, members, error), ids: members.map(({ id }) => id) }];
  });
}

function keyOf(row: NoticeRow, error: string): string {
  return manyWriters[row.cause] ? [row.cause, row.accountId, error].filter(Boolean).join(" ") : row.id;
}

function groupOf(key: string, newest: NoticeRow, members: NoticeRow[], error: string): NoticeGroup {
  const write = manyWriters[newest.cause];
  const times = members.reduce((sum, { count }) => sum + count, 0);
  const words =
    write && members.length > 1 ? write({ subjects: members.length, times, error }) : describeNotice(newest);
  const lastAt = Math.max(...members.map((member) => member.lastAt.getTime()));
  return {
    key,
    cause: newest.cause,
    ...words,
    notices: members.length,
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
