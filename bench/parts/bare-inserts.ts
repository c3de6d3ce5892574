import type pg from "pg";
import { newId } from "#contract/ids.ts";

/**
 * Inserts that wait for their commit, one row each, in a loop per connection: the minimum cost of accepting a
 * prediction.
 */
export async function bareInserts(pool: pg.Pool, seconds: number, concurrency: number): Promise<number> {
  const row = await acceptedRow(pool);
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`).join(", ");
  const text = `insert into predictions (${columns.join(", ")}) values (${places})`;
  const values = Object.values(row);
  const idAt = columns.indexOf("id");
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < until) {
        await pool.query({ name: "bare_insert", text, values: values.with(idAt, newId("prediction")) });
        count += 1;
      }
    }),
  );
  return count / ((performance.now() - startedAt) / 1000);
}

/**
 * A row that the gateway accepted, so that both sides write the same data. Objects are the text that is sent
 * to the server.
 */
async function acceptedRow(pool: pg.Pool): Promise<Record<string, unknown>> {
  const { rows } = await pool.query("select * from predictions limit 1");
  const [row] = rows as Record<string, unknown>[];
  if (!row) throw new Error("the gateway has accepted nothing yet");
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      value !== null && typeof value === "object" && !(value instanceof Date) ? JSON.stringify(value) : value,
    ]),
  );
}
