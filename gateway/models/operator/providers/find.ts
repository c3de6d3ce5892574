import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, or } from "#gateway/platform/database/drizzle.ts";
import { providerConnections } from "#gateway/platform/database/schema.ts";
import type { FollowedConfiguration } from "../follow.ts";
import type { ConnectionRow } from "./read-connections.ts";

/**
 * The row of a provider, by id or name. Throws `provider_not_found`, and `managed_by_file` for a provider of
 * the file.
 */
export async function findConnection(
  queries: Queries,
  configuration: FollowedConfiguration,
  idOrName: string,
): Promise<ConnectionRow> {
  const [row] = await queries
    .select()
    .from(providerConnections)
    .where(
      and(
        or(eq(providerConnections.id, idOrName), eq(providerConnections.name, idOrName)),
        isNull(providerConnections.goneAt),
      ),
    );
  if (row) return row;
  if (Object.hasOwn(configuration.current.file?.content.providers ?? {}, idOrName))
    throw new ApiError(
      "managed_by_file",
      `${idOrName} is in the providers file. Change it there; the gateway then reads the file again.`,
    );
  throw new ApiError(
    "provider_not_found",
    `There is no provider "${idOrName}". GET /v1/operator/providers lists them.`,
  );
}
