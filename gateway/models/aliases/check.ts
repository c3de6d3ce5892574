import { aliasLimits } from "#contract/aliases.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, count, eq, isNull, ne, sql } from "#gateway/platform/database/drizzle.ts";
import { aliases } from "#gateway/platform/database/schema.ts";
import type { AliasRow } from "./book.ts";

type Named = Pick<AliasRow, "id" | "accountId" | "name">;

/** Whose it is: an account's, or everyone's. */
export function owned(accountId: string | null) {
  return accountId === null ? isNull(aliases.accountId) : eq(aliases.accountId, accountId);
}

/** Throws `invalid_parameter` for a model that the alias's users do not have, and for models without a common operation; an alias for embeddings has one model. */
export function checkModels({ catalog }: Context, accountId: string | null, models: readonly string[]): void {
  let common: readonly string[] | null = null;
  for (const [at, id] of models.entries()) {
    const model = catalog.model(id, accountId);
    if (!model)
      throw new ApiError(
        "invalid_parameter",
        `models[${at}] is "${id}", which is no model. GET /v1/models lists them.`,
        {
          param: `models[${at}]`,
        },
      );
    const before: readonly string[] = common ?? model.api_types;
    common = before.filter((kind) => model.api_types.some((own) => own === kind));
    if (common.length === 0)
      throw new ApiError(
        "invalid_parameter",
        `models[${at}] is ${id} (${model.api_types.join(", ")}), which has no operation in common with those before it (${before.join(", ")}).`,
        { param: `models[${at}]` },
      );
    if (at > 0 && common.every((kind) => kind === "embeddings"))
      throw new ApiError(
        "invalid_parameter",
        `models[${at}] makes embeddings: an alias for them names one model, since vectors of different models cannot be compared. Give the model several routes instead.`,
        { param: `models[${at}]` },
      );
  }
}

/** Throws `alias_exists` for a name that is a model, or another alias of the same owner. */
export async function checkName(
  context: Context,
  queries: Queries,
  { id, accountId, name }: Named,
): Promise<void> {
  const taken = (what: string) =>
    new ApiError("alias_exists", `${name} is ${what} already. Choose another name, or change that one.`, {
      param: "name",
    });
  if (context.catalog.has(name, accountId)) throw taken("a model");
  const [other] = await queries
    .select({ id: aliases.id })
    .from(aliases)
    .where(and(owned(accountId), eq(aliases.name, name), ne(aliases.id, id)));
  if (other) throw taken(`the alias ${other.id}`);
}

/** Throws `too_many_aliases`. */
export async function checkCount(queries: Queries, accountId: string | null): Promise<void> {
  const [saved] = await queries.select({ count: count() }).from(aliases).where(owned(accountId));
  if ((saved?.count ?? 0) < aliasLimits.perAccount) return;
  throw new ApiError(
    "too_many_aliases",
    `There are at most ${aliasLimits.perAccount} aliases. Delete one first.`,
  );
}

/** Those of an owner are made and renamed one after the other, so that names and number stay within the rules. */
export async function lockAliases(queries: Queries, accountId: string | null): Promise<void> {
  await queries.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`aliases of ${accountId ?? "everyone"}`}, 0))`,
  );
}
