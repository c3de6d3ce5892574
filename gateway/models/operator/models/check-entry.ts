import { compile } from "#gateway/models/catalog/compile.ts";
import { type Entry, type EntryOperation, invalidSchema } from "#gateway/models/catalog/entry.ts";

import { recordOf } from "#gateway/models/providers/http/read-body.ts";

/** The largest entry, in characters of JSON, without its example. */
const maxCharacters = 200_000;
const maxExampleCharacters = 400_000;

/**
 * Throws `invalid_schema` for an entry that could not run: an invalid schema, an example that the schema
 * refuses, or a missing field that the kind needs.
 */
export function checkEntry(entry: Entry): void {
  const [operation] = entry.operations;
  if (!operation) throw invalidSchema(`${entry.id} has no operation.`);
  const { example, ...rest } = operation;
  if (JSON.stringify(rest).length > maxCharacters)
    throw invalidSchema(`The schema is larger than ${maxCharacters} characters.`, "input_schema");
  if (JSON.stringify(example).length > maxExampleCharacters)
    throw invalidSchema(`The example is larger than ${maxExampleCharacters} characters.`, "example");
  checkNeeds(operation);
  const compiled = compiledOf(operation);
  const [problem] = compiled.validate(structuredClone(example));
  if (problem)
    throw invalidSchema(
      `The example does not fit the schema: ${problem.path || "it"} ${problem.message}.`,
      "example",
    );
}

function compiledOf(operation: EntryOperation) {
  try {
    return compile(operation);
  } catch (error) {
    throw invalidSchema(
      `The input schema is not valid JSON Schema: ${error instanceof Error ? error.message : String(error)}`,
      "input_schema",
    );
  }
}

/** The fields that the gateway itself reads from each kind's input. */
const needs: Partial<Record<EntryOperation["api_type"], Record<string, string>>> = {
  "chat-completions": { messages: "array" },
  "text-to-speech": { input: "string" },
  "voice-management": { action: "string" },
};

function checkNeeds({ api_type: kind, input_schema: schema }: EntryOperation): void {
  for (const [name, type] of Object.entries(needs[kind] ?? {}))
    if (recordOf(recordOf(schema.properties)[name]).type !== type)
      throw invalidSchema(`${kind} needs a field ${name} of type ${type}.`, "input_schema");
}
