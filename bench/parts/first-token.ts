import { Pool } from "undici";
import type { Target } from "./load.ts";

/**
 * Milliseconds from the request to the first token, with one connection per target. The targets take turns,
 * and each round starts with another one.
 */
export async function firstTokens(
  targets: readonly Target[],
  requests: number,
): Promise<Map<Target, number[]>> {
  const times = new Map<Target, number[]>(targets.map((target) => [target, []]));
  const pools = new Map(
    targets.map((target) => [target, new Pool(new URL(target.url).origin, { connections: 1 })]),
  );
  for (let n = 0; n < requests; n += 1) {
    const turns = [...pools].map((_, at, all) => all[(at + n) % all.length]);
    for (const turn of turns) if (turn) times.get(turn[0])?.push(await firstToken(...turn));
  }
  for (const pool of pools.values()) await pool.close();
  return times;
}

async function firstToken(target: Target, pool: Pool): Promise<number> {
  const askedAt = performance.now();
  const { statusCode, body } = await pool.request({
    method: "POST",
    path: new URL(target.url).pathname,
    headers: { "content-type": "application/json", ...target.headers },
    body: JSON.stringify({ ...target.body, stream: true }),
  });
  let tookMs: number | null = null;
  let seen = "";
  for await (const chunk of body) {
    seen += chunk;
    if (tookMs === null && seen.includes('"content"')) tookMs = performance.now() - askedAt;
  }
  if (statusCode !== 200 || tookMs === null || !seen.includes("[DONE]"))
    throw new Error(`${target.name}: no stream, but ${statusCode} ${seen.slice(0, 200)}`);
  return tookMs;
}
