import type { CatalogModel } from "#contract/catalog.ts";
import { pseudo } from "../../messages/compile.ts";
import type { Language } from "../../messages/languages.ts";
import zhCn from "../../messages/zh-CN/apart/model-forms.ts";

/** What the forms of the specification's models say, by the catalog's English text. */
const catalogWords: Partial<Record<Language, Readonly<Record<string, string>>>> = { "zh-CN": zhCn };

/**
 * A model with the titles and descriptions of its forms in the reader's language. An operator's model has the words
 * that the operator or its provider wrote, unless its form is one of the catalog's, as that of an imported chat is.
 */
export function modelInLanguage<Model extends Pick<CatalogModel, "operations">>(
  model: Model,
  language: Language | "en-XA",
): Model {
  const words = wordsIn(language);
  if (!words) return model;
  const operations = model.operations.map((operation) => {
    const { input_schema: schema } = operation;
    if (!textsIn(schema).every((text) => Object.hasOwn(words, text))) return operation;
    return { ...operation, input_schema: inWords(schema, words) as typeof schema };
  });
  return { ...model, operations };
}

function wordsIn(language: Language | "en-XA"): Readonly<Record<string, string>> | undefined {
  if (language !== "en-XA") return catalogWords[language];
  return Object.fromEntries(Object.keys(zhCn).map((text) => [text, pseudo(text)]));
}

/** All models of a catalog, as `modelInLanguage`. */
export function modelsInLanguage<Model extends Pick<CatalogModel, "operations">>(
  models: readonly Model[],
  language: Language | "en-XA",
): Model[] {
  return models.map((model) => modelInLanguage(model, language));
}

/** All titles and descriptions in a schema. */
export function textsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (isText(key, value)) return [value];
    return values.has(key) ? [] : textsIn(value);
  });
}

/** Parts of a schema that are values, not schemas. */
const values = new Set(["const", "enum", "default", "examples"]);

function isText(key: string, value: unknown): value is string {
  return (key === "title" || key === "description") && typeof value === "string";
}

/** Only the words of a schema: names of fields, values and examples stay, also those called `title`. */
function inWords(schema: unknown, words: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => inWords(part, words));
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (isText(key, value)) return [key, words[value]];
      return [key, values.has(key) ? value : inWords(value, words)];
    }),
  );
}
