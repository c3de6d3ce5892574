import { firstOf, type Group } from "../group.ts";

export const modelGroup: Group = {
  kind: "model",
  permission: "anyone",
  find: async ({ catalog }, { accountId }, { search, limit }) => {
    const found = catalog.list({ q: search }, accountId).data.map((model) => ({
      id: model.id,
      kind: "model" as const,
      name: model.display_name ?? model.id,
      about: [...(model.display_name ? [model.id] : []), ...model.api_types].join(", "),
      state: null,
      at: null,
    }));
    return firstOf(found, limit);
  },
};
