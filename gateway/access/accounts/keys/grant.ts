import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/** The rights and lifetime of a key; null allows all models or regions. */
export interface Reach {
  scopes: readonly string[];
  models: readonly string[] | null;
  regions: readonly string[] | null;
  /** Null: the key is not for browsers, and its origin is not checked. */
  allowedOrigins: readonly string[] | null;
  /** Null: the key may be used from any network. */
  networks: readonly string[] | null;
  /** Null: the key does not expire. */
  expiresAt: Date | null;
}

/**
 * Prevents privilege escalation: callers create, rotate or change only keys within their own rights and
 * expiry. Throws `insufficient_scope`, `model_not_allowed`, `region_not_allowed`, `origin_not_allowed`,
 * `network_not_allowed`; `param` names the offending field of the body.
 */
export function assertWithinGrant(actor: Actor, key: Reach, source: "body" | "stored"): void {
  const param = (name: string) => ({ param: source === "body" ? name : null });
  const lacking = beyond(actor.scopes, key.scopes);
  if (lacking)
    throw new ApiError(
      "insufficient_scope",
      `This key cannot grant scopes that it does not have: ${lacking}.`,
      param("scopes"),
    );
  const lists = [
    ["models", "model_not_allowed", "models", actor.models, key.models],
    ["regions", "region_not_allowed", "regions", actor.regions, key.regions],
    ["networks", "network_not_allowed", "networks", actor.networks ?? null, key.networks],
    ["origins", "origin_not_allowed", "allowed_origins", actor.allowedOrigins ?? null, key.allowedOrigins],
  ] as const;
  for (const [names, code, field, own, asked] of lists) {
    const others = beyond(own, asked);
    if (others)
      throw new ApiError(
        code,
        `This key is limited to some ${names} and cannot grant others: ${others}.`,
        param(field),
      );
  }
  const { expiresAt } = actor;
  if (expiresAt && (key.expiresAt === null || key.expiresAt > expiresAt))
    throw new ApiError(
      "insufficient_scope",
      `This key expires at ${expiresAt.toISOString()} and cannot grant a later expiry.`,
      param("expires_at"),
    );
}

/** The entries of `asked` that are missing in `own`, as text; null if there are none. */
function beyond(own: readonly string[] | null, asked: readonly string[] | null): string | null {
  if (own === null) return null;
  if (asked === null) return "all";
  const outside = asked.filter((name) => !own.includes(name));
  return outside.length > 0 ? outside.join(", ") : null;
}
