import type { Share } from "#contract/shares.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import type { Context } from "#gateway/context.ts";
import type { shares } from "#gateway/platform/database/schema.ts";
import { findOutputs } from "#gateway/runs/provenance/find-outputs.ts";
import { gatedAmong } from "./gates.ts";
import { tokenOf } from "./token.ts";

export type ShareRow = typeof shares.$inferSelect;

/** Links as members of their account see them. */
export async function shareViews(
  context: Context,
  accountId: string,
  rows: readonly ShareRow[],
): Promise<Share[]> {
  const { queries } = context.database;
  const ids = [...new Set(rows.flatMap(({ outputs }) => outputs.map(({ outputId }) => outputId)))];
  const [outputs, makerOf] = await Promise.all([
    ids.length === 0 ? [] : findOutputs(queries, accountId, ids),
    readMakers(queries, rows),
  ]);
  const byId = new Map(outputs.map((output) => [output.id, output]));
  const gated = await gatedAmong(
    context,
    outputs.map(({ model }) => model),
  );
  return rows.map((row) => {
    const shown = row.outputs.flatMap(({ outputId }) => byId.get(outputId) ?? []);
    return {
      id: row.id,
      object: "share",
      url: `${context.config.consoleUrl}/public/shared/${tokenOf(context, row.id)}`,
      outputs: shown.map(({ id, model, contentType, file }) => ({
        id,
        model,
        content_type: contentType,
        expires_at: file?.endsAt?.toISOString() ?? null,
        removed: file === null,
      })),
      shows_prompt: row.outputs.some(({ prompt }) => prompt !== null),
      gated: shown.some(({ model }) => gated.has(model)),
      made_by: makerOf(row),
      created_at: row.createdAt.toISOString(),
      expires_at: row.expiresAt.toISOString(),
      openings: row.openings,
      last_opened_at: row.lastOpenedAt?.toISOString() ?? null,
    };
  });
}
