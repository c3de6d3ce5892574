import pg from "pg";
import { Connection } from "../connection.ts";

/**
 * Reads 160 MB in 400 queries and prints the largest heap growth in MB. Argument: the server's connection
 * settings, as JSON.
 */
const pool = new pg.Pool({
  ...(JSON.parse(process.argv[2] ?? "{}") as pg.PoolConfig),
  Client: Connection,
  max: 1,
  query_timeout: 10_000,
});
const heapMb = () => process.memoryUsage().heapUsed / 1e6;
await pool.query("select 1");
const beforeMb = heapMb();
let maxMb = beforeMb;
for (let count = 0; count < 400; count += 1) {
  await pool.query("select repeat('x', 1000) || n as text from generate_series(1, 400) as n");
  maxMb = Math.max(maxMb, heapMb());
}
await pool.end();
console.log(maxMb - beforeMb);
