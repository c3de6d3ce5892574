import { hasWords, searchWords } from "#contract/search-words.ts";
import { firstOf, type Group } from "../group.ts";

export const aliasGroup: Group = {
  kind: "alias",
  permission: "aliases:read",
  find: async ({ aliases }, { accountId }, { search, limit }) => {
    const words = searchWords(search);
    const rows = (await aliases.list(accountId)).filter(({ id, name, models }) =>
      hasWords([id, name, ...models].join(" "), words),
    );
    const found = rows.map(({ id, name, models, updatedAt }) => ({
      id,
      kind: "alias" as const,
      name,
      about: models.join(", "),
      state: "changed",
      at: updatedAt.toISOString(),
    }));
    return firstOf(found, limit);
  },
};
