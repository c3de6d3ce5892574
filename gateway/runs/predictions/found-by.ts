import { eq, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { foundBy } from "#gateway/platform/database/found-by.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import { promptIn } from "#gateway/runs/operations/prompt-of.ts";

/**
 * The account's predictions with these words in their prompts. The search ends with the input: a removed one has no words.
 * Prompts outside `searchable` are left out, so that a reader finds no words that they may not see; ids are found in any case.
 */
export function predictionsFoundBy(
  accountId: string,
  search: string,
  searchable: SQL | undefined,
): SQL | undefined {
  const prompt = promptIn(predictions.input);
  return foundBy(search, {
    idColumn: predictions.id,
    among: eq(predictions.accountId, accountId),
    texts: [searchable ? sql`case when ${searchable} then ${prompt} end` : prompt],
  });
}
