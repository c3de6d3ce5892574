import { _, type Ajv } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { hasFewerCharacters, hasMoreCharacters } from "../characters.ts";
import { hasTwins } from "../input-schema/json-values.ts";

/**
 * Replaces keywords of ajv whose time grows too fast: `maxLength` and `minLength` count all characters of a
 * text of any length, and `uniqueItems` compares every pair of items.
 */
export function boundKeywords<Validator extends Ajv | Ajv2020>(ajv: Validator): Validator {
  boundLength(ajv, "maxLength", hasMoreCharacters);
  boundLength(ajv, "minLength", hasFewerCharacters);
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    error: { message: "must not have the same item twice" },
    validate: (unique: boolean, items: unknown[]) => !unique || !hasTwins(items),
  });
  return ajv;
}

function boundLength(
  ajv: Ajv | Ajv2020,
  keyword: string,
  isBroken: (text: string, limit: number) => boolean,
) {
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type: "string",
    schemaType: "number",
    error: { message: `breaks ${keyword}`, params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
    code: (place) => {
      const check = place.gen.scopeValue("func", { ref: isBroken });
      place.fail(_`${check}(${place.data}, ${place.schemaCode})`);
    },
  });
}
