import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { clock } from "#gateway/platform/core/clock.ts";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import { Connection } from "./connection.ts";

const reconnect: RetrySchedule = { firstMs: 100, factor: 2, maxMs: 2_000 };

/**
 * How often the connection is checked: it can die silently (a cable, a firewall). Without an answer it is
 * closed.
 */
const checkIntervalMs = 400;

const checkTimeoutMs = 5_000;

/** After a longer silence, notifications may have been missed. */
const silentMs = 1_000;

/** One connection for LISTEN; reconnects when the server is available again. */
export class Listener {
  private readonly connection: pg.ClientConfig;
  private readonly log: Logger;
  private readonly channels = new Map<string, Set<(payload: string) => void>>();
  private client: pg.Client | null = null;
  private connecting: Promise<pg.Client> | null = null;
  private check: NodeJS.Timeout | undefined;
  private heardAt = 0;
  private heardOn: Date | null = null;
  private closed = false;

  constructor(connection: pg.ClientConfig, log: Logger) {
    this.connection = {
      ...connection,
      application_name: "gatehouse listener",
      query_timeout: checkTimeoutMs,
    };
    this.log = log;
  }

  async listen(channel: string, notified: (payload: string) => void): Promise<() => void> {
    const callbacks = this.channels.get(channel) ?? new Set();
    callbacks.add(notified);
    this.channels.set(channel, callbacks);
    const client = await this.connected();
    // If this fails, the reconnect sends `listen` again.
    await client.query(`listen ${pg.escapeIdentifier(channel)}`).catch(() => {});
    return () => {
      callbacks.delete(notified);
    };
  }

  isListening(): boolean {
    return this.client !== null && performance.now() - this.heardAt < silentMs;
  }

  /** Since when the server has been silent; null while it answers, and before it first answered. */
  get silentSince(): Date | null {
    return this.isListening() ? null : this.heardOn;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.check);
    this.channels.clear();
    await this.client?.end().catch(() => {});
  }

  private connected(): Promise<pg.Client> {
    if (this.client) return Promise.resolve(this.client);
    this.connecting ??= this.connect().finally(() => {
      this.connecting = null;
    });
    return this.connecting;
  }

  private async connect(): Promise<pg.Client> {
    for (let failures = 1; !this.closed; failures += 1) {
      const client: pg.Client = new Connection(this.connection);
      client.on("error", () => {}); // The connection's `end` event reports the failure.
      try {
        await client.connect();
        for (const channel of this.channels.keys())
          await client.query(`listen ${pg.escapeIdentifier(channel)}`);
        if (this.closed) throw new Error("the listener is closed");
        this.adopt(client);
        return client;
      } catch (error) {
        this.log.warn({ err: error }, "cannot listen for notifications yet");
        client.end().catch(() => {});
        await sleep(retryWaitMs(reconnect, failures));
      }
    }
    throw new Error("the database is closed");
  }

  private adopt(client: pg.Client): void {
    this.client = client;
    const hear = () => {
      this.heardAt = performance.now();
      this.heardOn = clock.date();
    };
    hear();
    client.on("notification", ({ channel, payload }) => {
      hear();
      this.call(channel, payload ?? "");
    });
    client.once("end", () => {
      clearInterval(this.check);
      this.client = null;
      if (!this.closed) void this.reconnect();
    });
    let isAsking = false;
    this.check = setInterval(() => {
      if (isAsking) return;
      isAsking = true;
      client
        .query("select 1")
        .then(hear, () => {}) // Without an answer the connection is closed.
        .finally(() => {
          isAsking = false;
        });
    }, checkIntervalMs);
    this.check.unref();
  }

  private async reconnect(): Promise<void> {
    try {
      await this.connected();
    } catch {
      return; // The listener was closed meanwhile.
    }
    this.log.info("listening for notifications again");
    for (const channel of this.channels.keys()) this.call(channel, "");
  }

  private call(channel: string, payload: string): void {
    for (const notified of this.channels.get(channel) ?? []) {
      try {
        notified(payload);
      } catch (error) {
        this.log.error({ err: error, channel }, "a listener failed");
      }
    }
  }
}

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
