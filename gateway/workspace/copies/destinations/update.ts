import type { Destination, DestinationUpdate } from "#contract/copies.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { copies, destinations } from "#gateway/platform/database/schema.ts";
import { sealedSecret } from "../seal.ts";
import { checkedAddress } from "./check-address.ts";
import { answeredBy, checkedChoice } from "./choice.ts";
import { withoutSlash } from "./create.ts";
import { type DestinationRow, destinationNotFound, findDestination, ownDestination } from "./find.ts";
import { viewNow } from "./view.ts";

type Changes = Partial<typeof destinations.$inferInsert>;

/**
 * Changes, pauses or resumes a destination. What waits is tried at once with new settings, and when it is resumed. Who changes what
 * is copied where answers for it from then on. Throws `destination_not_found`, `invalid_destination`, `invalid_parameter` and what
 * the gates of its models ask.
 */
export async function updateDestination(
  context: Context,
  { actor, ip, requestId }: Caller,
  id: string,
  input: DestinationUpdate,
): Promise<Destination> {
  const { accountId } = actor;
  const place = placeChanges(context, id, input);
  const known = await findDestination(context.database.queries, accountId, id);
  const isOtherChoice = input.automatic !== undefined || input.models !== undefined;
  const isMoved = Object.keys(place).length > 0;
  const choice =
    isOtherChoice || isMoved
      ? {
          ...(await checkedChoice(context, actor, {
            automatic: input.automatic ?? known.automatic,
            models: input.models ?? known.models,
          })),
          ...answeredBy(actor),
        }
      : {};
  const changes: Changes = {
    ...place,
    ...choice,
    ...(input.name !== undefined && { name: input.name.trim() }),
    ...(input.status !== undefined && { status: input.status }),
  };
  return context.database.transaction(async (queries) => {
    const [before] = await queries
      .select()
      .from(destinations)
      .where(ownDestination(accountId, id))
      .for("no key update");
    if (!before) throw destinationNotFound();
    if (Object.keys(changes).length === 0) return viewNow(queries, before);
    const [after] = await queries
      .update(destinations)
      .set(changes)
      .where(eq(destinations.id, id))
      .returning();
    if (!after) throw destinationNotFound();
    if (isMoved || after.status !== before.status) await schedule(queries, after);
    const { secret_access_key: secret, ...shown } = input;
    await recordAudit(queries, {
      accountId,
      actor,
      action: "destination.updated",
      targetId: id,
      detail: { ...shown, ...(secret !== undefined && { secret_hint: after.secretHint }) },
      ip,
      requestId,
    });
    return viewNow(queries, after);
  });
}

/** Where it copies to. What failed until now says nothing of another place. */
function placeChanges({ config }: Context, id: string, input: DestinationUpdate): Changes {
  const changes: Changes = {
    ...(input.endpoint_url !== undefined && { endpointUrl: checkedAddress(config, input.endpoint_url) }),
    ...(input.region !== undefined && { region: input.region }),
    ...(input.bucket !== undefined && { bucket: input.bucket }),
    ...(input.prefix !== undefined && { prefix: withoutSlash(input.prefix) }),
    ...(input.path_style !== undefined && { pathStyle: input.path_style }),
    ...(input.access_key_id !== undefined && { accessKeyId: input.access_key_id }),
    ...(input.secret_access_key !== undefined && sealedSecret(config, id, input.secret_access_key)),
  };
  return Object.keys(changes).length === 0 ? {} : { ...changes, lastError: null, lastErrorAt: null };
}

/** What waits is due now, or not before the destination is resumed. */
async function schedule(queries: Queries, { id, accountId, status }: DestinationRow): Promise<void> {
  await queries
    .update(copies)
    .set({ nextAttemptAt: status === "active" ? sql`now()` : null })
    .where(and(eq(copies.accountId, accountId), eq(copies.destinationId, id), eq(copies.status, "pending")));
}
