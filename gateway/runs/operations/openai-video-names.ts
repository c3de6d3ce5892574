import type { JsonSchema } from "#contract/catalog.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";

/**
 * What OpenAI's clients say of a video in the operation's own words, in place: `seconds` is its duration, `size` its resolution and ratio,
 * `input_reference` its first frame. A name that the operation has itself, has no word for, or that is said in both words stays as it is.
 */
export function openAiVideoNames({ operation }: CompiledOperation, body: Record<string, unknown>): void {
  if (operation.api_type !== "video-generation") return;
  const fields = (operation.input_schema.properties ?? {}) as Record<string, JsonSchema>;
  const translates = (name: string, own: string) =>
    body[name] !== undefined &&
    body[own] === undefined &&
    !Object.hasOwn(fields, name) &&
    Object.hasOwn(fields, own);
  if (translates("seconds", "duration")) {
    const { seconds } = body;
    body.duration = typeof seconds === "string" && seconds.trim() !== "" ? Number(seconds) : seconds;
    delete body.seconds;
  }
  if (translates("input_reference", "first_frame")) {
    const { input_reference: reference } = body;
    const named = reference as { image_url?: unknown; file_id?: unknown } | null;
    body.first_frame = typeof reference === "string" ? reference : (named?.image_url ?? named?.file_id);
    delete body.input_reference;
  }
  if (translates("size", "resolution")) sizeAsResolution(fields, body);
}

function sizeAsResolution(fields: Record<string, JsonSchema>, body: Record<string, unknown>): void {
  const sides = /^(\d{2,5})x(\d{2,5})$/.exec(String(body.size));
  if (!sides) return;
  const [width, height] = [Number(sides[1]), Number(sides[2])];
  const resolution = `${Math.min(width, height)}P`;
  const divisor = greatestCommonDivisor(width, height);
  const ratio = `${width / divisor}:${height / divisor}`;
  const ratioField = ["ratio", "aspect_ratio"].find((name) => Object.hasOwn(fields, name));
  if (!valuesOf(fields.resolution).includes(resolution)) return;
  if (ratioField && !valuesOf(fields[ratioField]).includes(ratio)) return;
  body.resolution = resolution;
  if (ratioField) body[ratioField] ??= ratio;
  delete body.size;
}

function valuesOf(schema: JsonSchema | undefined): readonly unknown[] {
  return Array.isArray(schema?.enum) ? schema.enum : [];
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? Math.max(1, one) : greatestCommonDivisor(other, one % other);
}
