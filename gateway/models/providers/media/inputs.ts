import { readFile } from "node:fs/promises";
import { paramAt } from "#contract/checks/request-check.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { FieldRules } from "../file/schema.ts";
import type { ProviderRequest, ResolvedMedia } from "../provider.ts";
import type { UpstreamSettings } from "../upstreams/upstream.ts";

export type MediaRules = Pick<UpstreamSettings, "media" | "inlineMaxBytes"> & {
  config: Pick<Config, "publicUrl">;
};

/** A copy of the input with every medium as a data URI or signed URL, so that the upstream can read it. */
export async function inputWithMedia(
  request: ProviderRequest,
  rules: MediaRules,
): Promise<Record<string, unknown>> {
  const copy = structuredClone(request.input);
  for (const media of request.media) {
    const text = await mediaText(request, media, rules);
    replaceAt(copy, media.path, () => text);
  }
  return copy;
}

/** A medium as a string for the upstream. Throws `input_too_large` if there is no way to pass it on. */
export async function mediaText(
  request: ProviderRequest,
  media: ResolvedMedia,
  { media: mode, inlineMaxBytes, config }: MediaRules,
): Promise<string> {
  if (mode === "url") return request.mediaUrl(media);
  if (media.sizeBytes <= inlineMaxBytes) return dataUri(media);
  if (isPublic(config.publicUrl)) return request.mediaUrl(media);
  const param = paramAt(media.path);
  throw new ProviderError(
    "input_too_large",
    `${param} has ${media.sizeBytes} bytes; this provider accepts at most ${inlineMaxBytes} in a request. Send a smaller file.`,
    { started: "no", param },
  );
}

export async function dataUri(media: ResolvedMedia): Promise<string> {
  const bytes = await readFile(media.file);
  return `data:${media.contentType};base64,${bytes.toString("base64")}`;
}

/** Whether upstreams can probably reach the gateway at this URL. */
function isPublic(publicUrl: string): boolean {
  const url = URL.parse(publicUrl);
  return url?.protocol === "https:" && !/^(localhost|127\.|10\.|192\.168\.|\[)/.test(url.hostname);
}

/** Replaces the text at a JSON pointer, in place; does nothing if the pointer leads nowhere. */
export function replaceAt(
  object: Record<string, unknown>,
  pointer: string,
  replaced: (text: string) => string,
): void {
  const steps = pointer.split("/").slice(1);
  const last = steps.pop() ?? "";
  let parent: unknown = object;
  for (const step of steps) parent = (parent as Record<string, unknown> | undefined)?.[step];
  const holder = parent as Record<string, unknown> | undefined;
  const value = holder?.[last];
  if (holder && typeof value === "string") holder[last] = replaced(value);
}

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
