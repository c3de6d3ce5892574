import { newId } from "#contract/ids.ts";
import type { OperatorProvider, ProviderCreate } from "#contract/operator/providers.ts";
import type { Context } from "#gateway/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { providerConnections } from "#gateway/platform/database/schema.ts";
import { changeConfiguration } from "../change.ts";
import { auditView } from "./audit-view.ts";
import { checkAddresses } from "./check-address.ts";
import { savedProvider } from "./list.ts";
import { assertNotOfFile, takeName } from "./names.ts";
import type { ConnectionRow } from "./read-connections.ts";
import { sealCredentials } from "./seal-credentials.ts";

export type NewConnection = Pick<
  ConnectionRow,
  "id" | "name" | "protocol" | "preset" | "baseUrl" | "baseUrls" | "credentials" | "allowPrivate" | "settings"
>;

/**
 * Connects a provider. Without credentials it serves the home region without a key. Throws the errors of
 * `planConnection` and `saveConnection`.
 */
export async function createProvider(
  context: Context,
  caller: Caller,
  input: ProviderCreate,
): Promise<OperatorProvider> {
  const planned = await planConnection(context, input);
  return changeConfiguration(context, caller, async (queries) => {
    const made = await saveConnection(queries, planned);
    const { id } = made;
    return {
      action: "provider.created",
      targetId: id,
      before: null,
      after: auditView(made),
      result: await savedProvider(context, queries, id, true),
    };
  });
}

/**
 * The new row, with sealed keys. Throws `provider_exists`, and the errors of `sealCredentials` and
 * `checkAddresses`.
 */
export async function planConnection(context: Context, input: ProviderCreate): Promise<NewConnection> {
  const { config } = context;
  assertNotOfFile(context, input.name);
  const id = newId("provider");
  const row = {
    id,
    name: input.name,
    protocol: input.protocol,
    preset: input.preset ?? null,
    baseUrl: input.base_url ?? null,
    baseUrls: input.base_urls ?? {},
    credentials: sealCredentials(config, id, {}, input.credentials ?? { [config.homeRegion]: {} })
      .credentials,
    allowPrivate: input.allow_private ?? false,
    settings: input.settings ?? {},
  };
  await checkAddresses(row);
  return row;
}

/** Throws `provider_exists`. */
export async function saveConnection(queries: Queries, planned: NewConnection): Promise<ConnectionRow> {
  await takeName(queries, planned.name);
  const [made] = await queries.insert(providerConnections).values(planned).returning();
  if (!made) throw new Error("The provider was not inserted");
  return made;
}
