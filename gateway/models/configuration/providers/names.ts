import type { ModelsContext } from "#gateway/models/context.ts";
import { sandboxName } from "#gateway/models/providers/file/check.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, arrayContains, eq, inArray, isNull, ne, sql } from "#gateway/platform/database/drizzle.ts";
import { providerConnections, routes, upstreamHealth } from "#gateway/platform/database/schema.ts";
import type { ConnectionRow } from "./read-connections.ts";
import { runningByProvider } from "./view.ts";

type Configured = Pick<ModelsContext, "configuration">;

/** The request with the provider's name, in case the caller sent the provider's id. */
export function withProviderName<Entry extends { provider: string }>(
  { configuration }: Configured,
  requested: Entry,
): Entry {
  const found = configuration.current.connections.find(({ row }) => row.id === requested.provider);
  return found ? { ...requested, provider: found.row.name } : requested;
}

/** Throws `provider_exists` for a name used by the providers file or the sandbox. */
export function assertNotOfFile(context: Configured, name: string): void {
  if (name.toLowerCase() === sandboxName) throw exists(`${name} is the name of the built-in provider.`);
  if (isOfFile(context, name))
    throw exists(`The providers file has a provider ${name} already. Choose another name.`);
}

/**
 * Frees a name for a provider: providers that had the name earlier can no longer be found by it. Throws
 * `provider_exists` if another provider has the name now, or has running predictions that began under it.
 */
export async function takeName(queries: Queries, name: string, ownId = ""): Promise<void> {
  const others = await queries
    .select()
    .from(providerConnections)
    .where(and(ne(providerConnections.id, ownId), isNull(providerConnections.goneAt)));
  const holder = others.find((other) => other.name.toLowerCase() === name.toLowerCase());
  if (holder)
    throw exists(
      holder.leavingAt === null
        ? `There is a provider ${name} already. Choose another name.`
        : `The former provider ${name} still has running predictions. Choose another name, or wait until they have ended.`,
    );
  const former = others.find(({ formerNames }) => formerNames.includes(name));
  if (!former) return;
  if ((await runningByProvider(queries)).get(name))
    throw exists(
      `${former.name} was called ${name}, and predictions that began under that name still run. Choose another name, or wait until they have ended.`,
    );
  await queries
    .update(providerConnections)
    .set({ formerNames: sql`array_remove(${providerConnections.formerNames}, ${name})` })
    .where(arrayContains(providerConnections.formerNames, [name]));
}

/**
 * Renames a provider. Its routes and its health data follow; runs in progress find it by its former name.
 * Throws `provider_exists`.
 */
export async function renameProvider(
  context: Configured,
  queries: Queries,
  { id, name: before }: Pick<ConnectionRow, "id" | "name">,
  name: string,
): Promise<void> {
  assertNotOfFile(context, name);
  await takeName(queries, name, id);
  const { formerNames } = providerConnections;
  await queries
    .update(providerConnections)
    .set({ name, formerNames: sql`array_append(array_remove(${formerNames}, ${name}), ${before})` })
    .where(eq(providerConnections.id, id));
  // Routes with the former name belong to the file's provider of that name, so they keep it.
  if (isOfFile(context, before)) return;
  const entry = sql`jsonb_set(${routes.entry}, '{provider}', to_jsonb(${name}::text))`;
  await queries.update(routes).set({ entry }).where(sql`${routes.entry}->>'provider' = ${before}`);
  const known = await queries
    .delete(upstreamHealth)
    .where(inArray(upstreamHealth.provider, [name, before]))
    .returning();
  const following = known
    .filter(({ provider }) => provider === before)
    .map((row) => ({ ...row, provider: name }));
  // Another process may just have written health under the new name. Those rows are newer, so they are kept.
  if (following.length > 0) await queries.insert(upstreamHealth).values(following).onConflictDoNothing();
}

/** Maps a former name of a provider to its current one; any other name is returned unchanged. */
export async function presentNames(queries: Queries): Promise<(name: string) => string> {
  const { name, formerNames, goneAt } = providerConnections;
  const inUse = await queries.select({ name, formerNames }).from(providerConnections).where(isNull(goneAt));
  const names = new Set(inUse.map((row) => row.name));
  return (wanted) =>
    names.has(wanted) ? wanted : (inUse.find((row) => row.formerNames.includes(wanted))?.name ?? wanted);
}

function isOfFile({ configuration }: Configured, name: string): boolean {
  const ofFile = Object.keys(configuration.current.file?.content.providers ?? {});
  return ofFile.some((other) => other.toLowerCase() === name.toLowerCase());
}

function exists(message: string): ApiError {
  return new ApiError("provider_exists", message, { param: "name" });
}
