import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { firstIdAt, randomLengthOfId } from "#contract/ids.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { requestLogs } from "#gateway/platform/database/schema.ts";
import { additionOf } from "#gateway/platform/figures/add.ts";
import { FigureSums } from "#gateway/platform/figures/sums.ts";
import type { LogRow } from "./log-row.ts";
import { type Asked, countRequest } from "./request-figures.ts";

const minuteMs = 60_000;
const writeEveryMs = 5_000;
/** More keys and routes than this in a few seconds are no longer told apart; the memory is bounded. */
const maxSums = 10_000;

type Sum = LogRow & Asked & { count: number };

/** Adds up what a limit rejects, so that a flood writes a row per key, route and minute, and not one per request. */
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

  /** The same id in every process: all of them add to one row. */
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

  /** An answer that is lost with the connection may count a few refusals twice. */
  private async write(): Promise<void> {
    const written = this.sums;
    if (written.size === 0) return;
    this.sums = new Map();
    const rows = [...written.values()];
    const figures = new FigureSums();
    for (const row of rows) countRequest(figures, row, row.count);
    try {
      await this.queries.execute(
        sql`with logged as (insert into ${requestLogs}
          select * from json_populate_recordset(null::${requestLogs}, ${JSON.stringify(rows)}::json) order by id
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

/** An identifier of this minute that every process makes for the same name. */
function idOf(minute: number, name: string): string {
  const digest = createHash("sha256").update(name).digest();
  const tail = Array.from(
    digest.subarray(0, randomLengthOfId),
    (byte) => idAlphabet[byte % idAlphabet.length],
  );
  return firstIdAt("request", minute).slice(0, -randomLengthOfId) + tail.join("");
}
