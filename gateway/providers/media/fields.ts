import type { FieldRules } from "../file/schema.ts";
import type { ProviderRequest } from "../provider.ts";

/** Kept by the gateway: upstreams are told nothing of consents. */
const gatewayOnly = ["person_rights_confirmed"];

/**
 * The fields that go upstream: the caller's, without nulls and what the gateway keeps, with the free `parameters` and
 * `input` objects beside them, and the rules of the route applied: omit, rename, defaults, set.
 */
export function upstreamFields(
  input: Record<string, unknown>,
  rules: FieldRules | undefined,
): Record<string, unknown> {
  const { parameters, input: inner, ...rest } = input;
  const all = { ...objectOf(inner), ...objectOf(parameters), ...rest };
  const omitted = new Set([...gatewayOnly, ...(rules?.omit ?? [])]);
  const kept = Object.entries(all).filter(
    ([name, value]) => value !== null && value !== undefined && !omitted.has(name),
  );
  const renamed = kept.map(([name, value]): [string, unknown] => [rules?.rename?.[name] ?? name, value]);
  return { ...rules?.defaults, ...Object.fromEntries(renamed), ...rules?.set };
}

/** The length that was asked for, in seconds; null when the model is to choose. */
export function askedSeconds({ input }: Pick<ProviderRequest, "input">): number | null {
  return typeof input.duration === "number" && input.duration > 0 ? input.duration : null;
}

function objectOf(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
