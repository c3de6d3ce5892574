import type { Context } from "#gateway/context.ts";
import type { Connection } from "#gateway/models/providers/configuration.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/** A provider as this process works by it, by its id or name. Throws `provider_not_found`. */
export async function findInUse(
  { configuration }: Pick<Context, "configuration">,
  idOrName: string,
): Promise<{ connection: Connection; problem: string | null }> {
  await configuration.refresh();
  const { connections, file } = configuration.current;
  const inUse = connections.filter(({ row }) => row.goneAt === null);
  const own = inUse.find(({ row }) => row.id === idOrName) ?? inUse.find(({ row }) => row.name === idOrName);
  if (own) return own;
  const ofFile = file?.connections.find(({ name }) => name === idOrName);
  if (ofFile) return { connection: ofFile, problem: null };
  throw new ApiError("provider_not_found", `There is no provider "${idOrName}".`);
}
