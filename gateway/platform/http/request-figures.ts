import type { FailedTry } from "#contract/usage.ts";
import { isUpstreamFailure } from "#gateway/platform/core/upstream-failures.ts";
import { type Amounts, countFailedTries, countRun, countTry } from "#gateway/platform/figures/count.ts";
import type { FigureSums } from "#gateway/platform/figures/sums.ts";
import type { LogRow } from "./log-row.ts";

/** What is counted of a request and not logged. */
export interface Asked {
  /** The key, or the user who was signed in. */
  actor_id: string;
  /** Whether its route runs operations. */
  of_operation: boolean;
}

/** Counts a request, or `count` of them that a limit rejected, and its tries. Reads of the console are not counted. */
export function countRequest(sums: FigureSums, row: Omit<LogRow, "id"> & Asked, count = 1): void {
  if (row.method === "GET" && (row.from_session || row.key_id === null)) return;
  const at = row.at.getTime();
  const { account_id: accountId, status } = row;
  const answeredMs = answeredAt(row);
  const [model, provider, region] = [row.model ?? "", row.provider ?? "", row.region ?? ""];
  const { tokensIn = null, tokensOut = null, generatingMs = null } = tokensOf(row);
  countRun(
    sums,
    {
      accountId,
      kind: isRun(row) ? "answer" : "request",
      model,
      operation: `${row.method} ${row.route}`,
      keyId: row.actor_id,
      provider,
      region,
      status,
      code: row.code ?? "",
      bytesIn: row.bytes_in,
      bytesOut: row.bytes_out,
      tokensIn,
      tokensOut,
      generatingMs,
      answerMs: count === 1 ? row.duration_ms : null,
      firstMs: row.first_ms,
    },
    at,
    count,
  );
  if (row.failed_tries !== null)
    countFailedTries(sums, accountId, JSON.parse(row.failed_tries) as FailedTry[], at);
  if (answeredMs === null || provider === "") return;
  const askedMs = row.asked_ms ?? 0;
  const firstMs = row.first_ms === null ? null : row.first_ms - askedMs;
  // What ended a stream after it had begun is its upstream's failure, or its client's doing.
  const code = row.code !== null && isUpstreamFailure(row.code) ? row.code : "";
  countTry(
    sums,
    {
      accountId,
      provider,
      model,
      region,
      status: code === "" ? 200 : status,
      code,
      answerMs: answeredMs - askedMs,
      firstMs,
      tokensIn,
      tokensOut,
      generatingMs,
    },
    at,
  );
}

/** Whether it is a run, or was refused one: an accepted prediction and a repeated answer are none. */
function isRun({ of_operation, status, provider, run_id }: Omit<LogRow, "id"> & Asked): boolean {
  if (!of_operation) return false;
  return status >= 400 || (provider !== null && !run_id?.startsWith("pred_"));
}

/** A client that left during a stream did not wait for its end. */
function answeredAt({ answered_ms, first_ms, duration_ms }: Omit<LogRow, "id">): number | null {
  return answered_ms ?? (first_ms === null ? null : duration_ms);
}

function tokensOf(row: Omit<LogRow, "id">): Amounts {
  const { usage_unit: unit, usage_quantity: quantity, tokens_out: tokensOut } = row;
  const answeredMs = answeredAt(row);
  if (unit !== "token" || quantity === null) return {};
  const generatingMs =
    answeredMs !== null && tokensOut ? answeredMs - (row.first_ms ?? row.asked_ms ?? 0) : null;
  return { tokensIn: quantity - (tokensOut ?? 0), tokensOut, generatingMs };
}
