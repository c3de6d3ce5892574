import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import { replaceAt } from "#gateway/models/providers/media/inputs.ts";
import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import { excerpt } from "../mark.ts";
import { seedOf } from "../seed.ts";

/**
 * Reads one field of an input: from the body itself, or from the `parameters` or `input` object that some
 * entries accept.
 */
export function field(request: ProviderRequest, name: string): unknown {
  const inside = (key: string) => recordOf(request.input[key])[name];
  return request.input[name] ?? inside("parameters") ?? inside("input");
}

export function textField(request: ProviderRequest, name: string): string {
  const value = field(request, name);
  return typeof value === "string" ? value : "";
}

export function numberField(request: ProviderRequest, name: string): number | null {
  const value = field(request, name);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function flagField(request: ProviderRequest, name: string): boolean | null {
  const value = field(request, name);
  return typeof value === "boolean" ? value : null;
}

/** The requested seed, otherwise a hash of the request. */
export function seedField(request: ProviderRequest): number {
  return numberField(request, "seed") ?? seedOf(request.model.id, withoutAddresses(request));
}

/**
 * The input with each medium's kind and size instead of its URL, because signed URLs of the same file differ.
 */
function withoutAddresses(request: ProviderRequest): unknown {
  const copy = structuredClone(request.input);
  for (const { path, contentType, sizeBytes } of request.media)
    replaceAt(copy, path, () => `${contentType} ${sizeBytes}`);
  return copy;
}

/** Whether the entry requires the adult attestation. Prompts for such entries are never spoken. */
export function isGated(request: ProviderRequest): boolean {
  return request.model.safety_requirements.adult_attestation_required;
}

/** The model's name in captions. */
export function modelLabel(request: ProviderRequest): string {
  return (request.model.id.split("/").at(-1) ?? request.model.id).toUpperCase();
}

export function promptExcerpt(request: ProviderRequest): string {
  return excerpt(textField(request, "prompt"));
}

const extensions = [
  "soft light, wide view",
  "golden light, drifting haze",
  "long shadows, quiet air",
  "high clouds, deep colours",
] as const;

/** The text that `prompt_extend` adds to a prompt; empty when it is off. */
export function extensionOf(request: ProviderRequest, seed: number): string {
  if (flagField(request, "prompt_extend") !== true) return "";
  return extensions[seed % extensions.length] ?? extensions[0];
}

/** The keys in the free-form `parameters` and `input` objects, which captions list. */
export function freeKeys(request: ProviderRequest): string[] {
  return ["parameters", "input"].flatMap((name) => {
    const keys = Object.keys(recordOf(request.input[name]));
    return keys.length > 0 ? [`${name}: ${keys.slice(0, 6).join(", ")}`] : [];
  });
}
