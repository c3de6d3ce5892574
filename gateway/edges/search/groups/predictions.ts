import { searchWords } from "#contract/search-words.ts";
import { searchableBy } from "#gateway/models/catalog/clearance.ts";
import { and, desc, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import { promptIn } from "#gateway/runs/operations/prompt-of.ts";
import { predictionsFoundBy } from "#gateway/runs/predictions/found-by.ts";
import { excerptAround } from "../excerpt.ts";
import { firstOf, type Group } from "../group.ts";

/** By a word of the prompt, as long as the input is kept, or by the id. */
export const predictionGroup: Group = {
  kind: "prediction",
  permission: "predictions:read",
  find: async (context, actor, { search, limit }) => {
    const { accountId } = actor;
    const searchable = await searchableBy(context, actor, predictions.model);
    const prompt = promptIn(predictions.input);
    const { id, model, status, createdAt, completedAt } = predictions;
    const rows = await context.database.queries
      .select({
        id,
        model,
        status,
        createdAt,
        completedAt,
        prompt: searchable ? sql<string | null>`case when ${searchable} then ${prompt} end` : prompt,
      })
      .from(predictions)
      .where(and(eq(predictions.accountId, accountId), predictionsFoundBy(accountId, search, searchable)))
      .orderBy(desc(predictions.id))
      .limit(limit + 1);
    const words = searchWords(search);
    const found = rows.map((row) => ({
      id: row.id,
      kind: "prediction" as const,
      name: row.prompt === null ? row.model : excerptAround(row.prompt, words),
      about: row.prompt === null ? null : row.model,
      state: row.status,
      at: (row.completedAt ?? row.createdAt).toISOString(),
    }));
    return firstOf(found, limit);
  },
};
