import { isId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { inArray } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import type { SharedOutput } from "#gateway/platform/database/tables/shares.ts";
import { promptOf } from "#gateway/runs/operations/prompt-of.ts";
import { readKept } from "#gateway/runs/provenance/kept-rows.ts";
import type { OutputRow } from "#gateway/runs/provenance/output-row.ts";

/** More of a prompt is not shown. */
const promptLength = 20_000;

/** What is known of the runs that made these outputs. The prompt of a sync run is known only where it was kept with its output. */
export async function aboutRuns(context: Context, outputs: readonly OutputRow[]): Promise<SharedOutput[]> {
  const { queries } = context.database;
  const ofPredictions = outputs.map(({ runId }) => runId).filter((id) => isId("prediction", id));
  const [rows, kept] = await Promise.all([
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
    readKept(
      queries,
      outputs.map(({ id }) => id),
    ),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return outputs.map(({ id, runId, position, sandbox }) => {
    const run = byId.get(runId);
    const { width = null, height = null, duration = null } = run?.files?.[position - 1] ?? {};
    return {
      outputId: id,
      prompt: cut(promptOf(run?.input ?? null)) ?? kept.get(id)?.prompt ?? null,
      sandbox: run?.sandbox ?? sandbox,
      width,
      height,
      duration,
    };
  });
}

function cut(prompt: string | null): string | null {
  return prompt?.slice(0, promptLength).toWellFormed() ?? null;
}
