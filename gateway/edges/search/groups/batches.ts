import { listBatches } from "#gateway/runs/batches/read.ts";
import { fromList, type Group } from "../group.ts";

export const batchGroup: Group = {
  kind: "batch",
  permission: "predictions:read",
  find: async (context, { accountId }, sought) =>
    fromList(await listBatches(context, accountId, sought), (batch) => ({
      id: batch.id,
      kind: "batch",
      name: batch.name ?? batch.model,
      about: batch.name === null ? null : batch.model,
      state: batch.status,
      at: batch.finished_at ?? batch.created_at,
    })),
};
