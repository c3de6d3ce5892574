import type { FieldRules } from "../file/schema.ts";
import { isRecord } from "../http/read-body.ts";
import type { ProviderRequest } from "../provider.ts";

/** A field that only the gateway reads: consents are not sent upstream. */
const gatewayOnly = "person_rights_confirmed";
/**
 * Objects under these names contain further fields of the caller. For speech, `input` is a string instead.
 */
const freeNames = new Set(["input", "parameters"]);

/**
 * The fields to send upstream. Takes the caller's fields, including those in the free-form `parameters` and
 * `input` objects, drops nulls, empty strings and the gateway's own field, and then applies the route's
 * rules: omit, rename, defaults, set.
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

/** The requested length in seconds; null when the model should choose. */
export function askedSeconds({ input }: Pick<ProviderRequest, "input">): number | null {
  return typeof input.duration === "number" && input.duration > 0 ? input.duration : null;
}
