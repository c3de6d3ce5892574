import { sandboxName } from "#gateway/models/providers/file/check.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { isUpstreamFailure } from "#gateway/platform/core/provider-error.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { addCounts, addRow, everyAccount, noAmount, readFigures } from "#gateway/platform/figures/read.ts";
import { percentiles } from "#gateway/platform/figures/times.ts";

export interface RunSums {
  provider: string;
  model: string;
  region: string;
  runs: number;
  errors: number;
  p50: number | null;
  p95: number | null;
}

/** How tries ended at each provider since then, also those after which another provider answered. */
export async function readRuns(database: Database, sinceMs: number): Promise<RunSums[]> {
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
      addCounts(all, row);
      if (isUpstreamFailure(row.code)) errors += row.runs;
      else addRow(good, row);
    }
    const [provider = "", model = "", region = ""] = ofOne[0]?.labels ?? [];
    const [p50 = null, p95 = null] = percentiles(good.times, "answer", [0.5, 0.95]);
    return { provider, model, region, runs: all.runs, errors, p50, p95 };
  });
}
