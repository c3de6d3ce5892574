import pg from "pg";
import type { ConnectionConfig } from "./connection.ts";

/** Queries that may wait for a connection. In an outage more would only fill the memory. */
const usualMaxWaiting = 5_000;
/** PostgreSQL's own code for too many connections. */
const tooMany = "53300";

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/** A pool that rejects at once what would wait behind too many others. */
export class BoundedPool extends pg.Pool {
  private readonly maxWaiting: number;

  constructor({
    maxWaiting = usualMaxWaiting,
    ...config
  }: pg.PoolConfig & Pick<ConnectionConfig, "diskIsFull"> & { maxWaiting?: number }) {
    super(config);
    this.maxWaiting = maxWaiting;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (this.waitingCount < this.maxWaiting) {
      if (!callback) return super.connect();
      super.connect(callback);
      return;
    }
    const error = Object.assign(new Error("Too many queries wait for a database connection"), {
      code: tooMany,
    });
    if (!callback) return Promise.reject(error);
    callback(error, undefined, () => {});
    return;
  }
}
