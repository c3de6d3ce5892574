import type { JsonSchema } from "#contract/catalog.ts";

/**
 * Turns the texts of a multipart body into what the schema asks for, in place: numbers, booleans, lists (one text
 * becomes a list of one) and objects written as JSON. Text that does not fit stays, so that validation names it.
 */
export function coerceTexts(properties: Record<string, JsonSchema>, body: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(body)) {
    const schema = properties[name];
    if (schema) body[name] = coerceValue(schema, value);
  }
}

function coerceValue(schema: JsonSchema, value: unknown): unknown {
  const types = [schema.type].flat();
  if (Array.isArray(value)) {
    const items = schema.items as JsonSchema | undefined;
    return items ? value.map((item) => coerceValue(items, item)) : value;
  }
  if (typeof value !== "string" || types.includes("string")) return value;
  if (types.includes("integer") || types.includes("number")) return toNumber(value);
  if (types.includes("boolean")) return toBoolean(value);
  if (types.includes("array")) return toList(schema, value);
  return types.includes("object") ? (parsed(value) ?? value) : value;
}

function toNumber(text: string): unknown {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}

function toBoolean(text: string): unknown {
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : text;
}

function toList(schema: JsonSchema, text: string): unknown {
  const list = text.trimStart().startsWith("[") ? parsed(text) : undefined;
  if (Array.isArray(list)) return list;
  const items = schema.items as JsonSchema | undefined;
  return [items ? coerceValue(items, text) : text];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
