import type { Destination } from "#contract/copies.ts";
import { listDestinations } from "#gateway/workspace/copies/destinations/destinations.ts";
import { fromList, type Group } from "../group.ts";

export const destinationGroup: Group = {
  kind: "destination",
  permission: "copies:read",
  find: async (context, { accountId }, sought) =>
    fromList(await listDestinations(context, accountId, sought), (destination) => ({
      id: destination.id,
      kind: "destination",
      name: destination.name,
      about: `${destination.bucket}/${destination.prefix}`,
      ...lastOf(destination),
    })),
};

function lastOf({ status, last_copied_at: copiedAt, last_error_at: failedAt }: Destination) {
  const at =
    [copiedAt, failedAt]
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null;
  if (status !== "active") return { state: status, at };
  if (at === null) return { state: null, at };
  return { state: at === failedAt ? "failing" : "copied", at };
}
