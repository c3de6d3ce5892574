import type { CatalogOperation } from "#contract/catalog.ts";
import { countCharacters } from "#contract/characters.ts";
import { isObject, type JsonObject, numberOf } from "./json.ts";
import { counted } from "./labels.ts";
import { textOfMessage } from "./messages.ts";

/** What a run will be billed as, as far as it follows from the request. */
export function estimateOf(body: JsonObject, operation: CatalogOperation): string {
  switch (operation.billing_unit) {
    case "character": {
      const text = typeof body.input === "string" ? body.input : "";
      return counted(countCharacters(text), "character");
    }
    case "generation":
      return counted(numberOf(body.n) ?? 1, "generation");
    case "operation":
      return "1 operation";
    case "second":
      return secondsOf(body, operation);
    case "token": {
      const most = numberOf(body.max_tokens) ?? numberOf(operation.limits.maxOutputTokens);
      const tokens = counted(approximateTokens(body), "token");
      return most === null
        ? `about ${tokens} in`
        : `about ${tokens} in, at most ${most.toLocaleString("en")} out`;
    }
  }
}

function secondsOf(body: JsonObject, operation: CatalogOperation): string {
  const asked = numberOf(body.duration);
  if (asked !== null && asked > 0) return counted(asked, "second");
  const most = numberOf(operation.limits.maxDurationSeconds);
  if (asked === -1 && most !== null) return `up to ${counted(most, "second")}`;
  const properties = operation.input_schema.properties;
  const schema = isObject(properties) ? properties.duration : undefined;
  const byDefault = isObject(schema) ? numberOf(schema.default) : null;
  if (byDefault !== null) return counted(byDefault, "second");
  return operation.api_type === "audio-transcription" ? "billed by audio length" : "billed by video length";
}

/** Four characters a token is the usual rule of thumb for English. What is embedded may be tokens already. */
function approximateTokens({ messages, input }: JsonObject): number {
  const texts = Array.isArray(messages)
    ? messages.map((message) => (isObject(message) ? textOfMessage(message) : ""))
    : [input].flat(2);
  const tokens = texts.reduce(
    (sum: number, text) =>
      sum + (typeof text === "string" ? text.length / 4 : typeof text === "number" ? 1 : 0),
    0,
  );
  return Math.max(1, Math.ceil(tokens));
}
