import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { firstIdAt, randomLengthOfId } from "#contract/ids.ts";
import type { FailedTry } from "#contract/usage.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { isUpstreamFailure } from "#gateway/platform/core/provider-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { requestLogs } from "#gateway/platform/database/schema.ts";
import {
  type Amounts,
  additionOf,
  countFailedTries,
  countRun,
  countTry,
  FigureSums,
} from "#gateway/platform/figures/sums.ts";

const minuteMs = 60_000;
const writeEveryMs = 5_000;
/** Beyond this many keys and routes in a few seconds they share one sum, so that the memory is bounded. */
const maxSums = 10_000;

type Sum = LogRow & Asked & { count: number };

/**
 * Adds up requests rejected by a limit, so that a flood writes one row per key, route and minute instead of
 * one per request.
 */
export class RefusalSums {
  private sums = new Map<string, Sum>();
  private writing: Promise<void> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;
  private readonly queries: Queries;
  private readonly log: Logger;

  constructor(queries: Queries, log: Logger) {
    this.queries = queries;
    this.log = log;
    this.timer = setInterval(() => this.flush(), writeEveryMs);
    this.timer.unref();
  }

  /**
   * Adds a refusal to the sum of its minute, key, route and code. The sum's id is the same in every process,
   * so that all processes add to one row.
   */
  add(row: Omit<LogRow, "id" | "at"> & Asked): void {
    const minute = Math.floor(clock.now() / minuteMs) * minuteMs;
    const name = `${minute} ${row.account_id} ${row.key_id} ${row.user_id} ${row.from_session} ${row.method} ${row.route} ${row.code}`;
    const sum = this.sums.get(name);
    if (sum) {
      sum.duration_ms += (row.duration_ms - sum.duration_ms) / (sum.count + 1);
      sum.count += 1;
    } else if (this.sums.size < maxSums)
      this.sums.set(name, { ...row, id: idOf(minute, name), at: new Date(minute), count: 1 });
  }

  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  close(): Promise<void> {
    clearInterval(this.timer);
    return this.flush();
  }

  /** Writes the sums. If only the database's answer was lost, the retry counts a few refusals twice. */
  private async write(): Promise<void> {
    const written = this.sums;
    if (written.size === 0) return;
    this.sums = new Map();
    const rows = [...written.values()];
    const logged = rows.map((row) => ({ ...row, failure: row.failure && JSON.parse(row.failure) }));
    const figures = new FigureSums();
    for (const row of rows) countRequest(figures, row, row.count);
    try {
      await this.queries.execute(
        sql`with logged as (insert into ${requestLogs}
          select * from json_populate_recordset(null::${requestLogs}, ${JSON.stringify(logged)}::json) order by id
          on conflict (id) do update set count = request_logs.count + excluded.count,
            duration_ms = (request_logs.duration_ms * request_logs.count + excluded.duration_ms * excluded.count)
              / (request_logs.count + excluded.count)
          ) ${additionOf(figures)}`,
      );
      for (const { account_id: account, key_id: key, route, code, count } of rows)
        this.log.info({ account, key, route, code, count }, "requests rejected by a limit");
    } catch (error) {
      this.log.warn({ err: error, rows: rows.length }, "request log: write failed, will retry");
      for (const [name, sum] of written) {
        const newer = this.sums.get(name);
        if (newer) newer.count += sum.count;
        else if (this.sums.size < maxSums) this.sums.set(name, sum);
      }
    }
  }
}

const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** An id of this minute that every process derives from the same name. */
function idOf(minute: number, name: string): string {
  const digest = createHash("sha256").update(name).digest();
  const tail = Array.from(
    digest.subarray(0, randomLengthOfId),
    (byte) => idAlphabet[byte % idAlphabet.length],
  );
  return firstIdAt("request", minute).slice(0, -randomLengthOfId) + tail.join("");
}

/** A row of the request log, with the table's column names. */
export interface LogRow {
  id: string;
  account_id: string;
  at: Date;
  method: string;
  route: string;
  status: number;
  code: string | null;
  model: string | null;
  region: string | null;
  provider: string | null;
  alias: string | null;
  /** JSON. */
  metadata: string | null;
  key_id: string | null;
  user_id: string | null;
  duration_ms: number;
  usage_unit: string | null;
  usage_quantity: number | null;
  charge: string | null;
  charge_reason: string | null;
  from_session: boolean;
  run_id: string | null;
  bytes_in: number | null;
  bytes_out: number | null;
  tokens_out: number | null;
  asked_ms: number | null;
  first_ms: number | null;
  answered_ms: number | null;
  /** JSON. */
  failed_tries: string | null;
  guards: string | null;
  /** JSON. */
  upstream_key: string | null;
  /** JSON. */
  failure: string | null;
  contents: string | null;
  client_request_id: string | null;
  conversation: string | null;
}

/** Values that are counted for a request but not logged. */
export interface Asked {
  /** The key, or the signed-in user. */
  actor_id: string;
  /** Whether its route runs operations. */
  of_operation: boolean;
  /** The input tokens from the upstream's cache. */
  tokens_cached?: number | null;
}

/**
 * Counts a request, or `count` requests rejected by a limit, and its attempts at upstreams. Requests in which
 * the console only reads are not counted.
 */
export function countRequest(sums: FigureSums, row: Omit<LogRow, "id"> & Asked, count = 1): void {
  if (row.method === "GET" && (row.from_session || row.key_id === null)) return;
  const at = row.at.getTime();
  const { account_id: accountId, status } = row;
  const answeredMs = answeredAt(row);
  const [model, provider, region] = [row.model ?? "", row.provider ?? "", row.region ?? ""];
  const tokens = tokensOf(row);
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
      ...tokens,
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
  // The end of a stream that had begun is either its upstream's failure or the client's own doing.
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
      ...tokens,
    },
    at,
  );
}

/**
 * Whether the request ran an operation or was refused one; accepted predictions and replayed answers do not
 * count.
 */
function isRun({ of_operation, status, provider, run_id }: Omit<LogRow, "id"> & Asked): boolean {
  if (!of_operation) return false;
  return status >= 400 || (provider !== null && !run_id?.startsWith("pred_"));
}

/** A client that disconnected during a stream did not wait for its end. */
function answeredAt({ answered_ms, first_ms, duration_ms }: Omit<LogRow, "id">): number | null {
  return answered_ms ?? (first_ms === null ? null : duration_ms);
}

function tokensOf(row: Omit<LogRow, "id"> & Asked): Amounts {
  const { usage_unit: unit, usage_quantity: quantity, tokens_out: tokensOut } = row;
  const { tokens_cached: tokensCached = null } = row;
  const answeredMs = answeredAt(row);
  if (unit !== "token" || quantity === null) return {};
  const generatingMs =
    answeredMs !== null && tokensOut ? answeredMs - (row.first_ms ?? row.asked_ms ?? 0) : null;
  return { tokensIn: quantity - (tokensOut ?? 0), tokensOut, tokensCached, generatingMs };
}
