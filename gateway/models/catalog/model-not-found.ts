import type { Role } from "#contract/accounts/constants.ts";
import { type Permission, permissionsOfRole } from "#contract/accounts/permissions.ts";
import { aliasFields } from "#contract/alias-constants.ts";
import { nearestName } from "#contract/nearest-name.ts";
import { mayUseModel, type SetLimits } from "#gateway/platform/core/actor.ts";
import { ApiError, shortened } from "#gateway/platform/core/api-error.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Catalog } from "./catalog.ts";

/** The error repeats at most this many characters of an unknown id, which can be as long as the body. */
const maxIdCharacters = 100;
/** At most this many names are compared with an unknown one. */
const maxCompared = 500;

/** Where the error looks for names. */
interface Places {
  catalog: Pick<Catalog, "list">;
  config: Pick<Config, "consoleUrl" | "extensions">;
  /** Missing: aliases cannot be used here. */
  aliases?: { known(accountId: string): readonly { name: string; models: readonly string[] }[] };
}

/** The caller as far as the error depends on it; without an account for public requests. */
interface Asking {
  accountId: string | null;
  /** The models that the key and the account may use; null for all. */
  models?: readonly string[] | null;
  operatorLimits?: SetLimits | null;
  role?: Role | null;
  permissions?: ReadonlySet<Permission>;
}

/**
 * The error for a model that the caller does not have. It names the most similar model or alias that the
 * caller may use, but the request never runs on it, and says how an alias gives this name to a model.
 */
export function modelNotFound(
  places: Places,
  id: string,
  asking: Asking,
  whereListed = "GET /v1/models lists them.",
): ApiError {
  const asked = shortened(id, maxIdCharacters);
  const meant = similar(places, id, asking);
  const message = [
    `There is no model ${asked}.`,
    ...(meant === null ? [] : [`Did you mean ${meant}?`]),
    whereListed,
    ...aliasHint(places, id, asking),
  ];
  return new ApiError("model_not_found", message.join(" "), { param: "model" });
}

/**
 * A model that differs from `id` only in case or in the part before the slash; otherwise the model or alias
 * that `id` probably misspells, with or without that part. Null when none is similar.
 */
function similar({ catalog, aliases }: Places, id: string, asking: Asking): string | null {
  const { accountId } = asking;
  const ids = catalog
    .list({}, accountId)
    .data.flatMap((model) => (mayUseModel(asking, model.id) ? [model.id] : []));
  const name = lastPart(id);
  const same = ids.find((one) => lastPart(one) === name);
  if (same !== undefined) return same;
  const named = accountId === null ? [] : (aliases?.known(accountId) ?? []);
  const usable = named.flatMap((alias) =>
    alias.models.some((one) => ids.includes(one)) ? [alias.name] : [],
  );
  const known = [...usable, ...ids].slice(0, maxCompared);
  const whole = nearestName(id, known);
  if (whole !== null) return whole;
  const part = nearestName(name, known.map(lastPart));
  return known.find((one) => lastPart(one) === part) ?? null;
}

function lastPart(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1).toLowerCase();
}

/** How the name becomes an alias, with a link for people who may make one; empty if it cannot become one. */
function aliasHint(
  { aliases, config }: Places,
  id: string,
  { accountId, role, permissions }: Asking,
): string[] {
  const fits = id.length <= maxIdCharacters && new RegExp(aliasFields.name.pattern).test(id);
  if (!aliases || !config.extensions || accountId === null || !permissions || !fits) return [];
  const body = `{"name": ${JSON.stringify(id)}, "models": ["<id of a model>"]}`;
  const mayManage =
    permissions.has("aliases:manage") || (role && permissionsOfRole(role).has("aliases:manage"));
  const page = `${config.consoleUrl}/a/${accountId}/aliases?name=${encodeURIComponent(id)}`;
  return [
    `An alias can give this name to one of them: POST /v1/aliases with ${body}${mayManage ? `, or ${page}` : ""}.`,
  ];
}
