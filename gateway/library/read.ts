import type { OutputDetail } from "#contract/outputs.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { clock } from "#gateway/core/clock.ts";
import { and, eq } from "#gateway/database/drizzle.ts";
import { keptOutputs, outputs } from "#gateway/database/schema.ts";
import { withValueAt } from "#gateway/presets/input.ts";
import { outputNotFound } from "#gateway/provenance/find-outputs.ts";
import { isKeptNow } from "#gateway/provenance/kept-rows.ts";
import { outputViews, readableUntil } from "#gateway/provenance/view.ts";
import { fileUrl, inputKey } from "#gateway/storage/signed-urls.ts";

type KeptRow = typeof keptOutputs.$inferSelect;

/** An output whose file is stored or kept; a kept one with the input that runs it again. Throws `output_not_found`. */
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

/** With addresses of the copied files, which a run takes. */
function inputOf(context: Context, row: KeptRow): OutputDetail["input"] {
  const expiresAt = readableUntil(row);
  let { input } = row;
  for (const { path, key } of row.media)
    input = input && withValueAt(input, [path], fileUrl(context, inputKey(key), { expiresAt }));
  return input;
}
