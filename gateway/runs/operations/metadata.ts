import { metadataLimits as limits, type Metadata } from "#contract/metadata.ts";
import { taskLimits } from "#contract/money/budget-constants.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { textProblem } from "#gateway/platform/http/body-bounds.ts";

/** Carries metadata when the body has no place for it. */
export const metadataHeader = "x-svc-metadata";

/** The name under which the metadata of its runs has the subject of a workload with a short key. */
const workloadName = "workload";

/** The notes of a request, with its workload: usage, caps per task and the log know a workload by it. */
export function withWorkload(
  { shortKey }: Pick<Actor, "shortKey">,
  metadata: Metadata | null,
): Metadata | null {
  return shortKey ? { ...metadata, [workloadName]: shortKey.subject } : metadata;
}

/**
 * A caller's own notes about a request, from the header and the body; for a name in both, the value in the
 * body is used. Null without any. As in OpenAI's API, at most 16 names of 64 characters with values of 512.
 * Throws `invalid_parameter` for anything else.
 */
export function metadataOf(inBody: unknown, header: string | string[] | undefined): Metadata | null {
  const ofHeader =
    header === undefined
      ? null
      : checked(jsonOf(String(header), metadataHeader, '{"customer":"acme"}'), metadataHeader);
  const ofBody = checked(textAsJson(inBody, "metadata"), "metadata");
  if (!ofHeader || !ofBody) return ofHeader ?? ofBody;
  return checked(Object.fromEntries([...Object.entries(ofHeader), ...Object.entries(ofBody)]), "metadata");
}

/** The caller's notes for the request log: null instead of an error if they are invalid. */
export function readableMetadata(body: unknown, header: string | string[] | undefined): Metadata | null {
  const inBody = (body as { metadata?: unknown } | null)?.metadata;
  if (inBody === undefined && header === undefined) return null;
  try {
    return metadataOf(inBody, header);
  } catch {
    return null;
  }
}

/**
 * Rejects a run whose metadata does not name its task, because such a run would evade the task's cap. Throws
 * `missing_parameter`, and `invalid_parameter` for a value that is too long.
 */
export function assertTasks(taskKeys: readonly string[], metadata: Metadata | null): void {
  for (const key of taskKeys) {
    const value = metadata?.[key] ?? "";
    const param = `metadata.${key}`;
    if (value === "")
      throw new ApiError(
        "missing_parameter",
        `Each task has a cap here, so a run must name its task. Send metadata with "${key}", in the body or in the header ${metadataHeader}.`,
        { param },
      );
    if (value.length > taskLimits.valueLength)
      throw refusal(param, `names a task, so it may have at most ${taskLimits.valueLength} characters`);
  }
}

/** Parses a part of a multipart body, which is text. Throws `invalid_parameter` for text that cannot be stored. */
export function textAsJson(value: unknown, name: string): unknown {
  if (typeof value !== "string") return value;
  const read = readJson(value);
  return read ? storable(read, name) : value;
}

/** The JSON in a header. Throws `invalid_parameter` if it is none, or has text that cannot be stored. */
export function jsonOf(header: string, name: string, example: string): unknown {
  const read = readJson(header);
  if (!read) throw refusal(name, `must be a JSON object, such as ${example}`);
  return storable(read, name);
}

interface ReadJson {
  value: unknown;
  /** Why one of its texts cannot be stored. Escaped characters are seen only here. */
  problem: string | null;
}

/** Null if the text is no JSON. */
function readJson(text: string): ReadJson | null {
  let problem: string | null = null;
  try {
    const value: unknown = JSON.parse(text, (name, part: unknown) => {
      problem ??= textProblem(name) ?? (typeof part === "string" ? textProblem(part) : null);
      return part;
    });
    return { value, problem };
  } catch {
    return null;
  }
}

function storable({ value, problem }: ReadJson, name: string): unknown {
  if (problem !== null) throw refusal(name, problem);
  return value;
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
  return invalidParameter(param, `${param} ${problem}.`);
}
