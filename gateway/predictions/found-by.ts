import { eq, type SQL } from "#gateway/database/drizzle.ts";
import { foundBy } from "#gateway/database/found-by.ts";
import { predictions } from "#gateway/database/schema.ts";
import { promptIn } from "#gateway/operations/prompt-of.ts";

/** The account's predictions with these words in their prompts. The search ends with the input: a removed one has no words. */
export function predictionsFoundBy(accountId: string, search: string | undefined): SQL | undefined {
  return foundBy(search, {
    idColumn: predictions.id,
    among: eq(predictions.accountId, accountId),
    texts: [promptIn(predictions.input)],
  });
}
