import type { FieldRules } from "../file/schema.ts";
import { isRecord } from "../http/read-body.ts";
import type { ProviderRequest } from "../provider.ts";

/** Kept by the gateway: upstreams are told nothing of consents. */
const gatewayOnly = ["person_rights_confirmed"];
/** Of these the objects are the caller's further fields; speech has a text under one of the names. */
const freeNames = new Set(["input", "parameters"]);

/**
 * The fields that go upstream: the caller's, without nulls, empty texts and what the gateway keeps, with the free `parameters` and
 * `input` objects beside them, and the rules of the route applied: omit, rename, defaults, set.
 */
export function upstreamFields(
  input: Record<string, unknown>,
  rules: FieldRules | undefined,
): Record<string, unknown> {
  const free = [input.input, input.parameters].filter(isRecord);
  const own = Object.entries(input).filter(([name, value]) => !freeNames.has(name) || !isRecord(value));
  const all = Object.assign({}, ...free, Object.fromEntries(own)) as Record<string, unknown>;
  const omitted = new Set([...gatewayOnly, ...(rules?.omit ?? [])]);
  const kept = Object.entries(all).filter(
    ([name, value]) => value !== null && value !== undefined && value !== "" && !omitted.has(name),
  );
  const renamed = kept.map(([name, value]): [string, unknown] => [rules?.rename?.[name] ?? name, value]);
  return { ...rules?.defaults, ...Object.fromEntries(renamed), ...rules?.set };
}

/** The length that was asked for, in seconds; null when the model is to choose. */
export function askedSeconds({ input }: Pick<ProviderRequest, "input">): number | null {
  return typeof input.duration === "number" && input.duration > 0 ? input.duration : null;
}
