import type { RegionName } from "#contract/catalog.ts";
import type { OperatorProvider, ProviderUpdate } from "#contract/operator/providers.ts";
import type { Context } from "#gateway/context.ts";
import { baseUrlOf } from "#gateway/models/providers/protocols.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { providerConnections } from "#gateway/platform/database/schema.ts";
import { type Changed, changeConfiguration } from "../change.ts";
import { auditView } from "./audit-view.ts";
import { checkAddresses } from "./check-address.ts";
import { findConnection } from "./find.ts";
import { savedProvider } from "./list.ts";
import { renameProvider } from "./names.ts";
import type { ConnectionRow } from "./read-connections.ts";
import { sealCredentials } from "./seal-credentials.ts";

/** Changes a provider. Throws the errors of `findConnection`, `planUpdate` and `renameProvider`. */
export async function updateProvider(
  context: Context,
  caller: Caller,
  idOrName: string,
  input: ProviderUpdate,
): Promise<OperatorProvider> {
  const { database, configuration } = context;
  // Checked before the lock is taken, because resolving names takes time.
  await planUpdate(context, await findConnection(database.queries, configuration, idOrName), input);
  return changeConfiguration(context, caller, async (queries) => {
    const row = await findConnection(queries, configuration, idOrName);
    const saved = await saveUpdate(context, queries, row, input);
    const keysChanged = input.credentials !== undefined;
    return { ...saved, result: await savedProvider(context, queries, row.id, keysChanged) };
  });
}

/** The row after the change. Throws the errors of `sealCredentials`, `checkAddresses` and `keepKeysHome`. */
export async function planUpdate(
  context: Context,
  before: ConnectionRow,
  input: ProviderUpdate,
): Promise<ConnectionRow> {
  const { next, kept } = changed(context, before, input);
  await checkAddresses(next);
  keepKeysHome(before, next, kept);
  return next;
}

/**
 * Saves a row that was read within the same change. Throws the errors of `sealCredentials`, `keepKeysHome`
 * and `renameProvider`.
 */
export async function saveUpdate(
  context: Context,
  queries: Queries,
  before: ConnectionRow,
  input: ProviderUpdate,
): Promise<Changed<void>> {
  const { id } = before;
  const { next, kept } = changed(context, before, input);
  keepKeysHome(before, next, kept);
  if (next.name !== before.name) await renameProvider(context, queries, before, next.name);
  const [after = next] = await queries
    .update(providerConnections)
    .set({
      baseUrl: next.baseUrl,
      baseUrls: next.baseUrls,
      credentials: next.credentials,
      allowPrivate: next.allowPrivate,
      settings: next.settings,
      updatedAt: sql`now()`,
    })
    .where(eq(providerConnections.id, id))
    .returning();
  const keysChanged = input.credentials !== undefined;
  return {
    action: "provider.updated",
    targetId: id,
    before: auditView(before),
    after: auditView(after, keysChanged ? clock.date() : undefined),
    finish: async (change) => {
      if (!keysChanged) return;
      const former = { at: clock.date().toISOString(), credentials: before.credentials };
      await queries
        .update(providerConnections)
        .set({ formerCredentials: { ...before.formerCredentials, [change]: former } })
        .where(eq(providerConnections.id, id));
    },
    result: undefined,
  };
}

function changed(
  { config }: Context,
  before: ConnectionRow,
  input: ProviderUpdate,
): { next: ConnectionRow; kept: ReadonlySet<RegionName> } {
  const { credentials, kept } = sealCredentials(
    config,
    before.id,
    before.credentials,
    input.credentials ?? {},
  );
  const next = {
    ...before,
    credentials,
    ...(input.name !== undefined && { name: input.name }),
    ...(input.base_url !== undefined && { baseUrl: input.base_url }),
    ...(input.base_urls !== undefined && { baseUrls: input.base_urls }),
    ...(input.allow_private !== undefined && { allowPrivate: input.allow_private }),
    ...(input.settings !== undefined && { settings: input.settings }),
  };
  return { next, kept };
}

/**
 * Throws `invalid_parameter` if a stored key would be sent to another server than the one it was entered for.
 */
function keepKeysHome(before: ConnectionRow, next: ConnectionRow, kept: Iterable<RegionName>): void {
  for (const region of kept) {
    if (originOf(before, region) === originOf(next, region)) continue;
    throw new ApiError(
      "invalid_parameter",
      `Enter the key of ${region} again: a stored key is sent only to the server that it was entered for.`,
      { param: "credentials" },
    );
  }
}

/** The server that receives a region's key. */
export function originOf(
  { protocol, baseUrl, baseUrls }: Pick<ConnectionRow, "protocol" | "baseUrl" | "baseUrls">,
  region: RegionName,
): string | undefined {
  const entry = { protocol, ...(baseUrl !== null && { base_url: baseUrl }), base_urls: baseUrls };
  return URL.parse(baseUrlOf(entry, region) ?? "")?.origin;
}
