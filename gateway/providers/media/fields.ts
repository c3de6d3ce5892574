import type { FieldRules } from "../file/schema.ts";
import { isRecord } from "../http/read-body.ts";
import type { ProviderRequest } from "../provider.ts";

/** Kept by the gateway: upstreams are told nothing of consents. */
const gatewayOnly = "person_rights_confirmed";
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
  const fields: Record<string, unknown> = { ...rules?.defaults };
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined || value === "") return;
    if (name === gatewayOnly || rules?.omit?.includes(name)) return;
    fields[rules?.rename?.[name] ?? name] = value;
  };
  for (const free of [input.input, input.parameters])
    if (isRecord(free)) for (const [name, value] of Object.entries(free)) add(name, value);
  for (const [name, value] of Object.entries(input))
    if (!freeNames.has(name) || !isRecord(value)) add(name, value);
  return Object.assign(fields, rules?.set);
}

/** The length that was asked for, in seconds; null when the model is to choose. */
export function askedSeconds({ input }: Pick<ProviderRequest, "input">): number | null {
  return typeof input.duration === "number" && input.duration > 0 ? input.duration : null;
}
