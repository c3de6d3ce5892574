import { Client } from "undici";
import {
  type Connection,
  type GuardOptions,
  guardedConnectors,
} from "#gateway/platform/network/address-guard.ts";

/**
 * One connection to one receiver. Only one attempt uses it at a time, so that its timings belong to that
 * attempt.
 */
export interface PooledClient {
  origin: string;
  client: Client;
  /** The latest connection; null before the first. */
  connection: Connection | null;
  /** Whether `connection` was opened for the current attempt. */
  isFresh: boolean;
  idleSinceMs: number;
}

/** A checked socket is reused for at most a minute; then the name is resolved and checked again. */
const maxSocketAgeMs = 60_000;
const maxIdleMs = 8000;
const maxIdlePerOrigin = 16;

const maxKnownTargets = 1000;

/** The parts of a URL that a connection and a request need. */
export interface Target {
  origin: string;
  path: string;
}

/** Keeps connections to receivers open between attempts; all of them pass the address guard. */
export class ClientPool {
  private readonly targets = new Map<string, Target>();
  private readonly connectorFor: ReturnType<typeof guardedConnectors>;
  private readonly idle = new Map<string, PooledClient[]>();
  private readonly sweeper: NodeJS.Timeout;

  constructor(guard: GuardOptions) {
    this.connectorFor = guardedConnectors(guard);
    this.sweeper = setInterval(() => this.dropIdle(), maxIdleMs);
    this.sweeper.unref();
  }

  /** Parses an endpoint's URL once for all of its deliveries. */
  targetOf(url: string): Target {
    const known = this.targets.get(url);
    if (known) return known;
    const { origin, pathname, search } = new URL(url);
    const target = { origin, path: `${pathname}${search}` };
    if (this.targets.size >= maxKnownTargets) this.targets.clear();
    this.targets.set(url, target);
    return target;
  }

  /** A kept connection to the origin, or a new one; always a new one when `fresh`. */
  take(origin: string, fresh = false): PooledClient {
    const kept = fresh ? undefined : this.idle.get(origin)?.pop();
    if (kept) {
      kept.isFresh = false;
      return kept;
    }
    const pooled: PooledClient = {
      origin,
      client: new Client(origin, {
        connect: this.connectorFor((connection) => {
          pooled.connection = connection;
          pooled.isFresh = true;
        }),
        allowH2: false,
        pipelining: 1,
        // Off, because each attempt has its own deadlines.
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: maxIdleMs,
        keepAliveMaxTimeout: maxSocketAgeMs,
      }),
      connection: null,
      isFresh: true,
      idleSinceMs: 0,
    };
    return pooled;
  }

  /** Returns a connection for reuse; only after a complete answer. */
  giveBack(pooled: PooledClient): void {
    const now = performance.now();
    const kept = this.idle.get(pooled.origin) ?? [];
    const openedAtMs = pooled.connection?.openedAtMs ?? 0;
    if (now - openedAtMs > maxSocketAgeMs || kept.length >= maxIdlePerOrigin) {
      this.discard(pooled);
      return;
    }
    pooled.idleSinceMs = now;
    kept.push(pooled);
    this.idle.set(pooled.origin, kept);
  }

  discard(pooled: PooledClient, reason: Error | null = null): void {
    pooled.client.destroy(reason).catch(() => {});
  }

  close(): void {
    clearInterval(this.sweeper);
    for (const kept of this.idle.values()) for (const pooled of kept) this.discard(pooled);
    this.idle.clear();
  }

  private dropIdle(): void {
    const oldest = performance.now() - maxIdleMs;
    for (const [origin, kept] of this.idle) {
      const live = kept.filter((pooled) => pooled.idleSinceMs >= oldest);
      for (const pooled of kept) if (!live.includes(pooled)) this.discard(pooled);
      if (live.length > 0) this.idle.set(origin, live);
      else this.idle.delete(origin);
    }
  }
}
