import { readFileSync } from "node:fs";
import pg from "pg";
import type { Member } from "../fleet.ts";
import { call } from "../gateway.ts";
import type { Load } from "../load.ts";
import type { ClusterScene } from "./scene.ts";

const answerMs = 5_000;

/** Queries the database on a separate connection that gives up soon. */
export async function query<Row extends pg.QueryResultRow>(
  connection: pg.ClientConfig,
  sql: string,
): Promise<Row[]> {
  const limits = { connectionTimeoutMillis: answerMs, query_timeout: answerMs };
  const client = new pg.Client({ ...connection, ...limits });
  client.on("error", () => {}); // The running query reports the error.
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    client.end().catch(() => {});
  }
}

/** Whether a commit is confirmed, by the stand-by too. */
export async function takesWrites(connection: pg.ClientConfig): Promise<boolean> {
  return query(connection, "create temporary table probe ()").then(
    () => true,
    () => false,
  );
}

/** The status of `/readyz`: 200 or 503; 0 without an answer. */
export async function readiness({ url }: Pick<Member, "url">): Promise<number> {
  const signal = AbortSignal.timeout(answerMs);
  const answer = await fetch(url.replace("/v1", "/readyz"), { signal }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status ?? 0;
}

/** The longest time in which no order was accepted. */
export function longestGapMs({ acceptedAtMs }: Load): number {
  return Math.max(...acceptedAtMs.slice(1).map((at, index) => at - (acceptedAtMs[index] ?? at)));
}

/** Refusals without Retry-After, a line each. */
export function withoutRetryAfter({ refused }: Load): string {
  const known = ["prediction_already_terminal"];
  const rude = refused.filter(({ retriable, code }) => !retriable && !known.includes(code));
  return rude.map((refusal) => JSON.stringify(refusal)).join("\n");
}

export function residentBytes({ program }: Member): number {
  const pages = Number(readFileSync(`/proc/${program.pid}/statm`, "utf8").split(" ")[1]);
  return pages * 4096;
}

/** Files in the store without a row, which nothing would ever remove. */
export async function orphans({ connection, store }: ClusterScene): Promise<string[]> {
  const rows = await query<{ key: string }>(
    connection,
    `select jsonb_array_elements(outputs)->>'key' as key from predictions where outputs is not null
     union select jsonb_array_elements(media)->>'key' from predictions
     union select jsonb_array_elements(outputs)->>'key' from generations`,
  );
  const known = new Set(rows.map(({ key }) => key));
  return (await store.keys()).filter((key) => !known.has(key));
}

/**
 * Files of the orders that were accepted, each read through its signed address; throws when one cannot be
 * read.
 */
export async function filesRead({ proxy, bearer }: ClusterScene, { accepted }: Load): Promise<number> {
  let count = 0;
  for (const id of accepted.keys()) {
    const { output } = (await call(proxy, bearer, "GET", `/predictions/${id}`)).body;
    for (const url of [output ?? []].flat() as string[]) {
      const answer = await fetch(url);
      if (!answer.ok || (await answer.bytes()).length === 0)
        throw new Error(`${url} answers ${answer.status}`);
      count += 1;
    }
  }
  return count;
}
