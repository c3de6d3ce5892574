import { listUploads } from "#gateway/files/uploads/list.ts";
import { fromList, type Group } from "../group.ts";

export const uploadGroup: Group = {
  kind: "upload",
  permission: "uploads:read",
  find: async (context, { accountId }, sought) =>
    fromList(await listUploads(context, accountId, sought), (upload) => ({
      id: upload.id,
      kind: "upload",
      name: upload.filename ?? upload.id,
      about: upload.content_type,
      state: upload.status,
      at: upload.created_at,
    })),
};
