import type { Logger } from "pino";
import { type IdKind, isId, timeOfId } from "#contract/ids.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Database } from "./database.ts";

const dayMs = 86_400_000;
/** The request log was kept for this time before history could be limited. */
const requestLogDays = 30;

/** How many days rows are kept after their data; null: for ever. */
export interface History {
  /** Predictions, conversations, expired uploads, events with their deliveries and attempts, usage lines. */
  days: number | null;
  requestLogDays: number | null;
  auditDays: number | null;
}

type HistorySettings = Pick<Config, "historyDays" | "auditDays">;

/**
 * From the settings, otherwise the value stored when this installation began. Zero in the settings means for
 * ever.
 */
export async function readHistory(database: Database, settings: HistorySettings): Promise<History> {
  const { rows } = await database.pool.query<{ history_days: number | null; audit_days: number | null }>(
    "select history_days, audit_days from installation",
  );
  const kept = (setting: number | null, initial: number | null = null) =>
    setting === null ? initial : setting || null;
  const days = kept(settings.historyDays, rows[0]?.history_days);
  return {
    days,
    requestLogDays: settings.historyDays === null ? (days ?? requestLogDays) : days,
    auditDays: kept(settings.auditDays, rows[0]?.audit_days),
  };
}

const growingTables = [
  "predictions",
  "outputs",
  "batches",
  "batch_rows",
  "uploads",
  "webhook_events",
  "webhook_deliveries",
  "webhook_delivery_keys",
  "webhook_attempts",
  "usage_lines",
  "request_logs",
  "audit_logs",
  "conversations",
];

/** The size of all accounts' history in the database. */
export async function historyBytes(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(coalesce(relid, name::regclass))) as bytes
     from unnest($1::text[]) as name left join pg_partition_tree(name::regclass) on true`,
    [growingTables],
  );
  return Number(rows[0]?.bytes ?? 0);
}

/** Warns an operator who has not set a limit how much space keeping history for ever takes. */
export async function warnOfEndlessHistory(
  { database, log }: { database: Database; log: Logger },
  { days }: History,
  { historyDays }: HistorySettings,
): Promise<void> {
  if (days !== null || historyDays !== null) return;
  const gigabytes = ((await historyBytes(database)) / 1e9).toFixed(2);
  log.warn(
    { gigabytes },
    `history is kept forever and takes up ${gigabytes} GB so far. Set HISTORY_DAYS to the days to keep, or to 0`,
  );
}

/**
 * A sentence for a "not found" message: the row may have been removed because of its age. Empty if it cannot
 * have been.
 */
export function forgottenNote({ days }: History, kind: IdKind, id: string): string {
  if (days === null || !isId(kind, id)) return "";
  // Deliveries are removed together with their event, which may be a day older than they are.
  const mayBeGone = timeOfId(id) < clock.now() - (days - 1) * dayMs;
  return mayBeGone ? ` It may have been removed: history is kept for ${days} days.` : "";
}
