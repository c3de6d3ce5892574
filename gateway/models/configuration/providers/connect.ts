import { isIP } from "node:net";
import type { RegionName } from "#contract/catalog.ts";
import { newId } from "#contract/ids.ts";
import type {
  OperatorProvider,
  ProviderCreate,
  ProviderDeleted,
  ProviderUpdate,
} from "#contract/operator/providers.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { isCallable } from "#gateway/models/providers/http/http-client.ts";
import { baseUrlOf } from "#gateway/models/providers/protocols.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, or, sql } from "#gateway/platform/database/drizzle.ts";
import { providerConnections } from "#gateway/platform/database/schema.ts";
import { resolveHost } from "#gateway/platform/network/address-guard.ts";
import { isPublicAddress, refusedHostName } from "#gateway/platform/network/address-rules.ts";
import { type Changed, changeConfiguration } from "../change.ts";
import type { FollowedConfiguration } from "../follow.ts";
import { assertNotOfFile, renameProvider, takeName } from "./names.ts";
import type { ConnectionRow } from "./read-connections.ts";
import { sealCredentials } from "./seal-credentials.ts";
import {
  addressesOf,
  auditView,
  providerNotFound,
  runningAt,
  runningByProvider,
  savedProvider,
} from "./view.ts";

export type NewConnection = Pick<
  ConnectionRow,
  "id" | "name" | "protocol" | "preset" | "baseUrl" | "baseUrls" | "credentials" | "allowPrivate" | "settings"
>;

/**
 * Connects a provider. Without credentials it serves the home region without a key. Throws the errors of
 * `planConnection` and `saveConnection`.
 */
export async function createProvider(
  context: ModelsContext,
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
export async function planConnection(context: ModelsContext, input: ProviderCreate): Promise<NewConnection> {
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

/**
 * Checks the addresses that a provider's calls would go to. Throws `invalid_parameter`, and
 * `private_address_not_allowed` if the operator has not allowed private addresses. Each connection is checked
 * again when it is opened.
 */
async function checkAddresses(
  row: Pick<ConnectionRow, "protocol" | "baseUrl" | "baseUrls" | "credentials" | "allowPrivate">,
): Promise<void> {
  const entry = addressesOf(row);
  for (const region of Object.keys(row.credentials) as RegionName[]) {
    const param = row.baseUrls[region] === undefined ? "base_url" : "base_urls";
    const text = baseUrlOf(entry, region);
    if (text === null)
      throw invalidParameter(
        "base_urls",
        `The protocol ${row.protocol} has no address in ${region}: name it in base_urls, or leave the region out.`,
      );
    await checkAddress(text, row.allowPrivate, param);
  }
}

async function checkAddress(text: string, allowPrivate: boolean, param: string): Promise<void> {
  const url = URL.parse(text);
  if (!url)
    throw invalidParameter(param, `${text} is not an address. Enter one like https://api.example.com/v1.`);
  if (url.username || url.password)
    throw invalidParameter(
      param,
      "An address must not contain a name or password: enter the key as the credential.",
    );
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");
  const isLiteral = isIP(host) !== 0;
  if (isLiteral && !isCallable(host))
    throw invalidParameter(
      param,
      `${host} is reserved for services of the machine or cloud, so a provider cannot use it.`,
    );
  if (allowPrivate) return;
  if (url.protocol !== "https:")
    throw notAllowed(
      param,
      `${text} is not encrypted (http), so a key and all data could be read on the way.`,
    );
  const isPrivate = isLiteral
    ? !isPublicAddress(host)
    : refusedHostName(host) !== null || (await leadsInside(host));
  if (isPrivate) throw notAllowed(param, `${host} is an address of a private network or of this machine.`);
}

/** A name that does not resolve is accepted here: the provider test reports it. */
async function leadsInside(host: string): Promise<boolean> {
  const found = await resolveHost(host).catch(() => []);
  return found.some(({ address }) => !isPublicAddress(address));
}

function notAllowed(param: string, reason: string): ApiError {
  return new ApiError(
    "private_address_not_allowed",
    `${reason} If you intend that, allow private addresses for this provider.`,
    { param },
  );
}

/** Throws `provider_exists`. */
export async function saveConnection(queries: Queries, planned: NewConnection): Promise<ConnectionRow> {
  await takeName(queries, planned.name);
  const [made] = await queries.insert(providerConnections).values(planned).returning();
  if (!made) throw new Error("The provider was not inserted");
  return made;
}

/** Changes a provider. Throws the errors of `findConnection`, `planUpdate` and `renameProvider`. */
export async function updateProvider(
  context: ModelsContext,
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
  throw providerNotFound(idOrName);
}

/** The row after the change. Throws the errors of `sealCredentials`, `checkAddresses` and `keepKeysHome`. */
export async function planUpdate(
  context: ModelsContext,
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
  context: ModelsContext,
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
  { config }: ModelsContext,
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
    throw invalidParameter(
      "credentials",
      `Enter the key of ${region} again: a stored key is sent only to the server that it was entered for.`,
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

/**
 * Deletes a provider: it gets no new work, and disappears when its running predictions have ended. Its routes
 * stay but serve nothing, and the sandbox does not answer for them. Throws the errors of `findConnection`.
 */
export async function deleteProvider(
  context: ModelsContext,
  caller: Caller,
  idOrName: string,
): Promise<ProviderDeleted> {
  return changeConfiguration(context, caller, async (queries) => {
    const row = await findConnection(queries, context.configuration, idOrName);
    const running = await letGo(queries, row);
    return {
      action: "provider.deleted",
      targetId: row.id,
      before: auditView(row),
      after: null,
      result: { id: row.id, object: "provider", deleted: running === 0, running_predictions: running },
    };
  });
}

/**
 * Stops new work for a provider; it is gone at once if nothing runs there. Returns the number of its running
 * predictions.
 */
export async function letGo(queries: Queries, row: ConnectionRow): Promise<number> {
  const running = runningAt(row, await runningByProvider(queries));
  const now = clock.date();
  await queries
    .update(providerConnections)
    .set({ leavingAt: row.leavingAt ?? now, goneAt: running === 0 ? now : null })
    .where(eq(providerConnections.id, row.id));
  return running;
}
