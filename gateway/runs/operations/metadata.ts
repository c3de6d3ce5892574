import { metadataLimits as limits, type Metadata } from "#contract/metadata.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/** Carries metadata when the body has no place for it. */
export const metadataHeader = "x-svc-metadata";

/**
 * A caller's own notes about a request, from the header and the body; the body wins if both have a name. Null
 * without any. As in OpenAI's API at most 16 names of 64 characters with values of 512; throws
 * `invalid_parameter` for anything else.
 */
export function metadataOf(inBody: unknown, header: string | string[] | undefined): Metadata | null {
  const ofHeader = header === undefined ? null : checked(parsed(String(header)), metadataHeader);
  const ofBody = checked(textAsJson(inBody), "metadata");
  if (!ofHeader || !ofBody) return ofHeader ?? ofBody;
  return checked(Object.fromEntries([...Object.entries(ofHeader), ...Object.entries(ofBody)]), "metadata");
}

/** The same for the request log: null if invalid. */
export function readableMetadata(body: unknown, header: string | string[] | undefined): Metadata | null {
  const inBody = (body as { metadata?: unknown } | null)?.metadata;
  if (inBody === undefined && header === undefined) return null;
  try {
    return metadataOf(inBody, header);
  } catch {
    return null;
  }
}

/** Parses a part of a multipart body, which is text. */
function textAsJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function parsed(header: string): unknown {
  try {
    return JSON.parse(header);
  } catch {
    throw refusal(metadataHeader, 'must be a JSON object, such as {"customer":"acme"}');
  }
}

function checked(value: unknown, param: string): Metadata | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object" || Array.isArray(value))
    throw refusal(param, 'must be an object, such as {"customer":"acme"}');
  const pairs = Object.entries(value);
  if (pairs.length > limits.keys)
    throw refusal(param, `has ${pairs.length} keys; at most ${limits.keys} are kept`);
  for (const [name, said] of pairs) {
    if (name === "" || name.length > limits.keyLength)
      throw refusal(param, `has a key that is not 1 to ${limits.keyLength} characters long`);
    if (typeof said !== "string" || said.length > limits.valueLength)
      throw refusal(`${param}.${name}`, `must be a string of at most ${limits.valueLength} characters`);
  }
  return pairs.length === 0 ? null : Object.fromEntries(pairs);
}

function refusal(param: string, problem: string): ApiError {
  return new ApiError("invalid_parameter", `${param} ${problem}.`, { param });
}
