import type { Alias } from "#contract/aliases.ts";
import type { Context } from "#gateway/context.ts";
import type { AliasRow } from "./book.ts";

export function aliasView({ catalog }: Context, accountId: string, row: AliasRow): Alias {
  return {
    id: row.id,
    object: "alias",
    name: row.name,
    models: row.models,
    go_on_when: row.goOnWhen,
    continue_streams: row.continueStreams,
    for_everyone: row.accountId === null,
    unavailable: row.models.filter((id) => !catalog.has(id, accountId)),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
