import type { OutputDetail } from "#contract/outputs.ts";
import type { Context } from "#gateway/context.ts";
import { fileUrl, inputKey } from "#gateway/files/storage/signed-urls.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { keptOutputs, outputs } from "#gateway/platform/database/schema.ts";
import { outputNotFound } from "#gateway/runs/provenance/find-outputs.ts";
import { isKeptNow } from "#gateway/runs/provenance/of-runs.ts";
import { outputViews, readableUntil } from "#gateway/runs/provenance/view.ts";
import { withValueAt } from "#gateway/workspace/presets/input.ts";

type KeptRow = typeof keptOutputs.$inferSelect;

/**
 * An output whose file is stored or kept; a kept one includes the input to run it again. Throws
 * `output_not_found`.
 */
export async function readOutput(context: Context, actor: Actor, id: string): Promise<OutputDetail> {
  const { queries } = context.database;
  const [found] = await queries
    .select({ row: outputs, kept: keptOutputs })
    .from(outputs)
    .leftJoin(keptOutputs, and(eq(keptOutputs.outputId, outputs.id), isKeptNow))
    .where(and(eq(outputs.id, id), eq(outputs.accountId, actor.accountId)));
  if (!found || (!found.kept && found.row.expiresAt <= clock.date())) throw outputNotFound(id);
  const { row, kept } = found;
  const [view] = await outputViews(context, actor, [row], new Map(kept ? [[id, kept]] : []));
  if (!view) throw outputNotFound(id);
  return { ...view, input: kept && view.gated === null ? inputOf(context, kept) : null };
}

/** The input with URLs of the copied files, which a run accepts. */
function inputOf(context: Context, row: KeptRow): OutputDetail["input"] {
  const expiresAt = readableUntil(row);
  let { input } = row;
  for (const { path, key } of row.media)
    input = input && withValueAt(input, [path], fileUrl(context, inputKey(key), { expiresAt }));
  return input;
}
