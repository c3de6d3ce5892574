import { hasWords, searchWords } from "#contract/search-words.ts";
import { listProviders } from "#gateway/models/operator/providers/list.ts";
import { firstOf, type Group } from "../group.ts";

export const providerGroup: Group = {
  kind: "provider",
  permission: "operator",
  find: async (context, _actor, { search, limit }) => {
    const words = searchWords(search);
    const { data } = await listProviders(context);
    const found = data
      .filter((provider) =>
        hasWords(
          [
            provider.id,
            provider.name,
            ...provider.former_names,
            provider.protocol,
            provider.base_url ?? "",
            ...Object.values(provider.base_urls),
          ].join(" "),
          words,
        ),
      )
      .map((provider) => ({
        id: provider.id,
        kind: "provider" as const,
        name: provider.name,
        about: provider.base_url ?? provider.protocol,
        state: provider.problem === null ? provider.status : "unusable",
        at: provider.updated_at,
      }));
    return firstOf(found, limit);
  },
};
