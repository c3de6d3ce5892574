import {
  type Batch,
  type BatchCounts,
  type BatchRowStatus,
  batchLimits,
  batchRowStatuses,
  hasBatchEnded,
} from "#contract/batches.ts";
import { decimalOf, decimalText, divideRounded } from "#contract/money/decimal.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import { readBudgetStates } from "#gateway/billing/budgets/state.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { inArray, min, sql, sum } from "#gateway/platform/database/drizzle.ts";
import { type batches, batchRows } from "#gateway/platform/database/schema.ts";

export type BatchRecord = typeof batches.$inferSelect;

/** Totals over the rows of a batch. */
interface Totals {
  counts: BatchCounts;
  models: string[];
  /** Quantities by unit. */
  used: Map<string, number>;
  /** The charge of rows with a price, in 10^-12 of the currency, and the number of those rows. */
  charge: bigint;
  priced: number;
  /** Ended rows that have no price. */
  unpriced: number;
  firstExpiresAt: Date | null;
}

/** Batches in the form of answers and events. */
export async function batchViews(
  queries: Queries,
  rows: readonly BatchRecord[],
  currency: string,
): Promise<Batch[]> {
  if (rows.length === 0) return [];
  const totals = await readTotals(
    queries,
    rows.map(({ id }) => id),
  );
  const runsAs = rows.map(({ runsAsKeyId, runsAsUserId }) => ({ keyId: runsAsKeyId, userId: runsAsUserId }));
  const makerOf = await readMakers(queries, [...rows, ...runsAs]);
  const budgets = await readBudgetStates(
    queries,
    rows.map(({ id, budgets }) => ({ holder: id, budgets })),
  );
  return rows.map((row, index) => {
    const { counts, models, used, charge, priced, unpriced, firstExpiresAt } = totals.get(row.id) ?? noRows();
    return {
      id: row.id,
      object: "batch",
      kind: row.kind,
      name: row.name,
      model: row.model,
      models,
      api_type: row.apiType,
      status: row.status,
      reason: row.reason,
      waits_until: row.status === "running" ? timeText(row.waitsUntil) : null,
      concurrency: row.concurrency,
      counts,
      usage: { unit: row.billingUnit, quantity: used.get(row.billingUnit) ?? 0 },
      estimated: { unit: row.billingUnit, quantity: row.estimatedQuantity },
      cost: {
        amount: decimalText(charge),
        currency,
        not_priced_rows: unpriced,
        estimated:
          priced === 0 ? null : decimalText(divideRounded(charge * BigInt(counts.total), BigInt(priced))),
      },
      picked_row: row.pickedRow,
      budgets: budgets.get(row.id) ?? [],
      // Earlier releases stored any number of names.
      ignored: row.ignored.slice(0, batchLimits.maxIgnored),
      openai: row.openAi && {
        endpoint: row.openAi.endpoint,
        input_file_id: row.openAi.inputFileId,
        ...fileIdsOf(row, counts),
        metadata: row.openAi.metadata,
      },
      created_at: row.createdAt.toISOString(),
      finished_at: timeText(row.finishedAt),
      first_output_expires_at: timeText(firstExpiresAt),
      expires_at: timeText(row.expiresAt),
      data_removed: row.dataRemovedAt !== null,
      request_id: row.requestId,
      made_by: makerOf(row),
      runs_as: makerOf(runsAs[index] ?? row),
    };
  });
}

/** The files of an ended batch, as OpenAI's clients read them. */
function fileIdsOf({ id, status }: BatchRecord, { succeeded, failed, canceled }: BatchCounts) {
  const hasEnded = hasBatchEnded(status);
  return {
    output_file_id: hasEnded && succeeded > 0 ? batchFileId(id, "output") : null,
    error_file_id: hasEnded && failed + canceled > 0 ? batchFileId(id, "errors") : null,
  };
}

/** The two files of a batch: the answers, and the errors of the lines without an answer. */
export type BatchFilePart = "output" | "errors";

export function batchFileId(batchId: string, part: BatchFilePart): string {
  return `${batchId}_${part}`;
}

function timeText(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}

function noRows(): Totals {
  const none = Object.fromEntries(batchRowStatuses.map((status) => [status, 0]));
  return {
    counts: { total: 0, ...(none as Record<BatchRowStatus, number>) },
    models: [],
    used: new Map(),
    charge: 0n,
    priced: 0,
    unpriced: 0,
    firstExpiresAt: null,
  };
}

async function readTotals(queries: Queries, ids: readonly string[]): Promise<Map<string, Totals>> {
  const { batchId, status, model, usageUnit } = batchRows;
  const kept = sql`case when ${batchRows.dataRemovedAt} is null then ${batchRows.expiresAt} end`;
  const groups = await queries
    .select({
      batchId,
      status,
      model,
      usageUnit,
      count: sql<number>`count(*)::int`,
      used: sum(batchRows.usageQuantity).mapWith(Number),
      charge: sum(batchRows.charge),
      priced: sql<number>`count(${batchRows.charge})::int`,
      unpriced: sql<number>`(count(*) filter (where ${batchRows.charge} is null and ${batchRows.chargeReason} is not null))::int`,
      firstExpiresAt: min(kept).mapWith(batchRows.expiresAt),
    })
    .from(batchRows)
    .where(inArray(batchId, [...ids]))
    .groupBy(batchId, status, model, usageUnit)
    .orderBy(model);
  const totals = new Map<string, Totals>();
  for (const group of groups) {
    const one = totals.get(group.batchId) ?? noRows();
    totals.set(group.batchId, one);
    one.counts.total += group.count;
    one.counts[group.status] += group.count;
    if (!one.models.includes(group.model)) one.models.push(group.model);
    if (group.usageUnit) one.used.set(group.usageUnit, (one.used.get(group.usageUnit) ?? 0) + group.used);
    if (group.charge !== null) one.charge += decimalOf(group.charge);
    one.priced += group.priced;
    one.unpriced += group.unpriced;
    const first = group.firstExpiresAt;
    if (first && (one.firstExpiresAt === null || first < one.firstExpiresAt)) one.firstExpiresAt = first;
  }
  return totals;
}
