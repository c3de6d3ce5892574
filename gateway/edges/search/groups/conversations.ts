import { listConversations } from "#gateway/workspace/conversations/list.ts";
import { fromList, type Group } from "../group.ts";

export const conversationGroup: Group = {
  kind: "conversation",
  permission: "conversations:read",
  find: async (context, actor, sought) =>
    fromList(await listConversations(context, actor, sought), ({ id, name, model, updated_at }) => ({
      id,
      kind: "conversation",
      name,
      about: model,
      state: "changed",
      at: updated_at,
    })),
};
