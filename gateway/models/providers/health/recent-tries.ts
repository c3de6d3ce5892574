import type { Logger } from "pino";
import type { RegionName } from "#contract/catalog.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { isUpstreamFailure } from "#gateway/platform/core/provider-error.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { addRow, everyAccount, noAmount, readFigures } from "#gateway/platform/figures/read.ts";
import { addTotals } from "#gateway/platform/figures/sums.ts";
import { percentiles } from "#gateway/platform/figures/times.ts";
import { sandboxName } from "../file/check.ts";
import type { DeploymentName } from "./pauses.ts";

/** How the tries at a deployment went, of all accounts; times are those of successes, null without any. */
export interface RecentTries extends DeploymentName {
  runs: number;
  errors: number;
  answerMs: { p50: number | null; p95: number | null };
  /** The median time to the first chunk of a stream. */
  firstMs: number | null;
  tokensPerSecond: number | null;
}

/** The tries since `sinceMs`, including those after which another provider answered. */
export async function readTries(database: Pick<Database, "pool">, sinceMs: number): Promise<RecentTries[]> {
  const by = ["provider", "model", "region"] as const;
  const span = { step: "minute", from: sinceMs, to: clock.now() } as const;
  const rows = await readFigures(database, {
    accountId: everyAccount,
    set: "try",
    kinds: ["try"],
    ...span,
    by,
  });
  const known = rows.filter(({ labels }) => labels[0] !== sandboxName && !labels.includes(""));
  return [...Map.groupBy(known, ({ labels }) => labels.join("\n")).values()].map((ofOne) => {
    const [all, good] = [noAmount(), noAmount()];
    let errors = 0;
    for (const row of ofOne) {
      addTotals(all, row);
      if (isUpstreamFailure(row.code)) errors += row.runs;
      else addRow(good, row);
    }
    const [provider = "", model = "", region] = ofOne[0]?.labels ?? [];
    const [p50 = null, p95 = null] = percentiles(good.times, "answer", [0.5, 0.95]);
    const [firstMs = null] = percentiles(good.times, "first", [0.5]);
    const { tokensOut, generatingMs } = good;
    return {
      ...{ provider, model, region: region as RegionName, runs: all.runs, errors },
      answerMs: { p50, p95 },
      firstMs,
      tokensPerSecond: generatingMs > 0 ? (tokensOut / generatingMs) * 1_000 : null,
    };
  });
}

const hourMs = 3_600_000;
const freshMs = 60_000;

/** The tries of the last hour, read at most once a minute, and only if a request wants to know them. */
export class LatestTries {
  readonly #database: Pick<Database, "pool">;
  readonly #log: Logger;
  #found: Promise<readonly RecentTries[]> = Promise.resolve([]);
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(database: Pick<Database, "pool">, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  /** If they cannot be read, those of the last time: a run does not fail because of an order. */
  now(): Promise<readonly RecentTries[]> {
    const now = clock.now();
    if (now - this.#readAtMs < freshMs) return this.#found;
    const before = this.#found;
    this.#readAtMs = now;
    this.#found = readTries(this.#database, now - hourMs).catch((error: unknown) => {
      this.#log.warn({ err: error }, "recent tries could not be read, so providers are sorted by older ones");
      return before;
    });
    return this.#found;
  }
}
