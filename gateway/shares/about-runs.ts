import { isId, ulidOf } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { inArray } from "#gateway/database/drizzle.ts";
import { predictions, usageLines } from "#gateway/database/schema.ts";
import type { SharedOutput } from "#gateway/database/tables/shares.ts";
import { readKept } from "#gateway/provenance/kept-rows.ts";
import type { OutputRow } from "#gateway/provenance/output-row.ts";

/** More of a prompt is not shown. */
const promptLength = 20_000;
const sandboxProvider = "sandbox";

/** What is known of the runs that made these outputs. The prompt of a sync run is known only where it was kept with its output. */
export async function aboutRuns(context: Context, outputs: readonly OutputRow[]): Promise<SharedOutput[]> {
  const { queries } = context.database;
  const [ofPredictions, ofSyncRuns] = [true, false].map((isPrediction) =>
    outputs.map(({ runId }) => runId).filter((id) => isId("prediction", id) === isPrediction),
  ) as [string[], string[]];
  if (ofSyncRuns.length > 0) await context.meter.flush();
  const [rows, lines, kept] = await Promise.all([
    ofPredictions.length === 0
      ? []
      : queries
          .select({
            id: predictions.id,
            input: predictions.input,
            files: predictions.outputs,
            sandbox: predictions.sandbox,
          })
          .from(predictions)
          .where(inArray(predictions.id, ofPredictions)),
    ofSyncRuns.length === 0
      ? []
      : queries
          .select({ run: usageLines.run, provider: usageLines.provider })
          .from(usageLines)
          .where(inArray(usageLines.run, ofSyncRuns.map(ulidOf))),
    readKept(
      queries,
      outputs.map(({ id }) => id),
    ),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const drawn = new Set(lines.filter(({ provider }) => provider === sandboxProvider).map(({ run }) => run));
  return outputs.map(({ id, runId, position }) => {
    const run = byId.get(runId);
    const { width = null, height = null, duration = null } = run?.files?.[position - 1] ?? {};
    return {
      outputId: id,
      prompt: promptOf(run?.input ?? null) ?? kept.get(id)?.prompt ?? null,
      sandbox: run?.sandbox ?? drawn.has(ulidOf(runId)),
      width,
      height,
      duration,
    };
  });
}

function promptOf(input: Record<string, unknown> | null): string | null {
  const prompt = input?.prompt;
  return typeof prompt === "string" && prompt.trim() !== ""
    ? prompt.slice(0, promptLength).toWellFormed()
    : null;
}
