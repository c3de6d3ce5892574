import pg from "pg";
import type { Logger } from "pino";
import { Connection } from "./connection.ts";

/**
 * NOTIFY in the caller's transaction cost two thirds of the throughput; one NOTIFY for many commits, sent
 * after them, costs 7 %.
 */
const debounceMs = 2;
const queryTimeoutMs = 5_000;
/** PostgreSQL refuses 8000 bytes; a longer payload is dropped, but the wake-up is still sent. */
const payloadMaxBytes = 7_999;

/** Sends wake-ups on its own connection, many at a time; drops those that cannot be sent. */
export class Notifier {
  private readonly pool: pg.Pool;
  private readonly log: Logger;
  private readonly waiting = new Map<string, Set<string>>();
  private timer: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(connection: pg.ClientConfig, log: Logger) {
    this.log = log;
    this.pool = new pg.Pool({
      Client: Connection,
      ...connection,
      application_name: "gatehouse notifier",
      max: 1,
      query_timeout: queryTimeoutMs,
    });
    this.pool.on("error", () => {}); // The next wake-up opens a new connection.
  }

  notify(channel: string, payload: string): void {
    if (this.closed) return;
    const payloads = this.waiting.get(channel) ?? new Set();
    payloads.add(Buffer.byteLength(payload) > payloadMaxBytes ? "" : payload);
    this.waiting.set(channel, payloads);
    this.timer ??= setTimeout(() => void this.flush(), debounceMs);
  }

  async close(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.flush();
    this.closed = true;
    await this.pool.end();
  }

  private async flush(): Promise<void> {
    this.timer = null;
    const rows = [...this.waiting].flatMap(([channel, payloads]) =>
      [...payloads].map((text) => [channel, text]),
    );
    this.waiting.clear();
    if (rows.length === 0) return;
    const [channels, payloads] = [rows.map(([channel]) => channel), rows.map(([, text]) => text)];
    await this.pool
      .query("select pg_notify(c, p) from unnest($1::text[], $2::text[]) as w(c, p)", [channels, payloads])
      .catch((error: Error) => this.log.debug({ error: error.message }, "a wake-up was not sent"));
  }
}
