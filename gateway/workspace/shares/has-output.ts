import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { shares } from "#gateway/platform/database/schema.ts";

/** Whether a link shows this output. An account has few links: they are looked through. */
export function hasOutput(outputId: string): SQL {
  return sql`${shares.outputs} @> ${JSON.stringify([{ outputId }])}::jsonb`;
}
