import type { Logger } from "pino";
import type { ErrorCode } from "#contract/error.ts";
import type { UpstreamRateLimit } from "#contract/operator/health.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { upstreamErrorOf } from "#gateway/platform/core/provider-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { type DeploymentName, Pauses } from "./pauses.ts";

const writeEveryMs = 1_000;

const maxMessageCharacters = 500;

/** Observations since the last write; times in ms since the epoch. */
interface Note extends DeploymentName {
  isNew: boolean;
  success: number | null;
  failure: number | null;
  code: ErrorCode | null;
  message: string | null;
  openUntil: number | null;
  limit: UpstreamRateLimit | null;
}

/**
 * Records what running requests reveal about upstreams: the last success, the last failure in the upstream's
 * own words, the breaker and the rate limit. One statement per second writes what is new, so that all
 * processes add to the same data and a request costs only a note in memory.
 */
export class UpstreamHealth {
  readonly pauses = new Pauses();
  private readonly notes = new Map<string, Note>();
  private readonly queries: Queries;
  private readonly log: Logger;
  private readonly timer: NodeJS.Timeout;
  private writing: Promise<void> = Promise.resolve();

  constructor(queries: Queries, log: Logger) {
    this.queries = queries;
    this.log = log;
    this.timer = setInterval(() => this.flush(), writeEveryMs);
    this.timer.unref();
  }

  succeeded(where: DeploymentName): void {
    const note = this.noteOf(where);
    note.success = clock.now();
    note.isNew = true;
  }

  /** `openUntil`: when the breaker next admits a call (ms since the epoch); null if the breaker is closed. */
  failed(where: DeploymentName, code: ErrorCode, error: unknown, openUntil: number | null = null): void {
    const note = this.noteOf(where);
    note.failure = clock.now();
    note.code = code;
    note.message = wordsOf(error).slice(0, maxMessageCharacters);
    note.openUntil = openUntil;
    note.isNew = true;
  }

  limited(where: DeploymentName, limit: UpstreamRateLimit): void {
    const note = this.noteOf(where);
    note.limit = limit;
    note.isNew = true;
  }

  /** Writes the observations made since the last write. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  close(): Promise<void> {
    clearInterval(this.timer);
    return this.flush();
  }

  private noteOf({ provider, model, region }: DeploymentName): Note {
    const name = `${provider}\n${model}\n${region}`;
    const known = this.notes.get(name);
    if (known) return known;
    const empty = { success: null, failure: null, code: null, message: null, openUntil: null, limit: null };
    const fresh: Note = { provider, model, region, isNew: false, ...empty };
    this.notes.set(name, fresh);
    return fresh;
  }

  private async write(): Promise<void> {
    const fresh = [...this.notes.values()].filter(({ isNew }) => isNew);
    if (fresh.length === 0) return;
    const rows = fresh.map((note) => ({
      provider: note.provider,
      model: note.model,
      region: note.region,
      last_success_at: timeOf(note.success),
      last_failure_at: timeOf(note.failure),
      failure_code: note.code,
      failure_message: note.message,
      open_until: timeOf(note.openUntil),
      rate_limit: note.limit,
    }));
    for (const note of fresh) note.isNew = false;
    try {
      await this.queries.execute(sql`
        insert into upstream_health as known
          select * from json_to_recordset(${JSON.stringify(rows)}::json) as seen (
            provider text, model text, region text, last_success_at timestamptz, last_failure_at timestamptz,
            failure_code text, failure_message text, open_until timestamptz, rate_limit jsonb)
        on conflict (provider, model, region) do update set
          last_success_at = greatest(known.last_success_at, excluded.last_success_at),
          failure_code = case when ${isLater} then excluded.failure_code else known.failure_code end,
          failure_message = case when ${isLater} then excluded.failure_message else known.failure_message end,
          last_failure_at = greatest(known.last_failure_at, excluded.last_failure_at),
          open_until = greatest(known.open_until, excluded.open_until),
          rate_limit = coalesce(excluded.rate_limit, known.rate_limit)`);
    } catch (error) {
      this.log.warn({ err: error, rows: rows.length }, "the health of upstreams: write failed, will retry");
      for (const note of fresh) note.isNew = true;
    }
  }
}

const isLater = sql.raw(
  "excluded.last_failure_at >= coalesce(known.last_failure_at, '-infinity'::timestamptz)",
);

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** The upstream's own message if it sent one; keys were removed when the answer was read. */
function wordsOf(error: unknown): string {
  const failure = upstreamErrorOf(error) ?? error;
  const said = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
  return said instanceof Error ? said.message : String(said);
}
