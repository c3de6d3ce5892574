import type { Deleted } from "#contract/list.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { destinations } from "#gateway/platform/database/schema.ts";
import { destinationNotFound, ownDestination } from "./find.ts";

/** Deletes a destination with its log; an attempt under way is not saved any more. Throws `destination_not_found`. */
export async function deleteDestination(
  { database }: Context,
  { actor, ip, requestId }: Caller,
  id: string,
): Promise<Deleted> {
  const { accountId } = actor;
  await database.transaction(async (queries) => {
    const [row] = await queries.delete(destinations).where(ownDestination(accountId, id)).returning();
    if (!row) throw destinationNotFound();
    await recordAudit(queries, {
      accountId,
      actor,
      action: "destination.deleted",
      targetId: id,
      detail: { name: row.name, endpoint_url: row.endpointUrl, bucket: row.bucket },
      ip,
      requestId,
    });
  });
  return { id, object: "destination", deleted: true };
}
