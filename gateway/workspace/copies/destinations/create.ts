import { type Destination, type DestinationCreate, destinationLimits } from "#contract/copies.ts";
import { newId } from "#contract/ids.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { count, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { destinations } from "#gateway/platform/database/schema.ts";
import { sealedSecret } from "../seal.ts";
import { checkedAddress } from "./check-address.ts";
import { answeredBy, checkedChoice } from "./choice.ts";
import { destinationView, noCopies } from "./view.ts";

/**
 * Adds a destination; its secret is never shown again. Throws `invalid_destination`, `invalid_parameter`, `too_many_destinations` and
 * what the gates of its models ask.
 */
export async function createDestination(
  context: Context,
  { actor, ip, requestId }: Caller,
  input: DestinationCreate,
): Promise<Destination> {
  const { accountId } = actor;
  const endpointUrl = checkedAddress(context.config, input.endpoint_url);
  const choice = await checkedChoice(context, actor, {
    automatic: input.automatic ?? "off",
    models: input.models ?? [],
  });
  const id = newId("destination");
  return context.database.transaction(async (queries) => {
    await assertRoom(queries, accountId);
    const [row] = await queries
      .insert(destinations)
      .values({
        id,
        accountId,
        name: input.name.trim(),
        endpointUrl,
        region: input.region,
        bucket: input.bucket,
        prefix: withoutSlash(input.prefix ?? ""),
        pathStyle: input.path_style ?? true,
        accessKeyId: input.access_key_id,
        ...sealedSecret(context.config, id, input.secret_access_key),
        ...choice,
        ...answeredBy(actor),
      })
      .returning();
    if (!row) throw new Error("The destination was not inserted");
    await recordAudit(queries, {
      accountId,
      actor,
      action: "destination.created",
      targetId: id,
      detail: {
        name: row.name,
        endpoint_url: endpointUrl,
        bucket: row.bucket,
        prefix: row.prefix,
        ...choice,
      },
      ip,
      requestId,
    });
    return destinationView(row, noCopies);
  });
}

/** An object's name that begins with a slash has a first part without a name. */
export function withoutSlash(prefix: string): string {
  return prefix.replace(/^\/+/, "");
}

/** Under a lock, so that concurrent requests see each other. */
async function assertRoom(queries: Queries, accountId: string): Promise<void> {
  const { perAccount } = destinationLimits;
  await queries.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`destinations of ${accountId}`}, 0))`,
  );
  const [kept] = await queries
    .select({ count: count() })
    .from(destinations)
    .where(eq(destinations.accountId, accountId));
  if ((kept?.count ?? 0) >= perAccount)
    throw new ApiError(
      "too_many_destinations",
      `An account has at most ${perAccount} destinations. Delete one first.`,
    );
}
