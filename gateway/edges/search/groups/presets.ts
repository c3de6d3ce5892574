import { listPresets } from "#gateway/workspace/presets/list.ts";
import { fromList, type Group } from "../group.ts";

export const presetGroup: Group = {
  kind: "preset",
  permission: "presets:read",
  find: async (context, { accountId }, sought) =>
    fromList(await listPresets(context, accountId, sought), ({ id, name, model, updated_at }) => ({
      id,
      kind: "preset",
      name,
      about: model,
      state: "changed",
      at: updated_at,
    })),
};
