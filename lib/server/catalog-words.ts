import type { CatalogModel } from "#contract/catalog.ts";
import type { Language } from "../../messages/languages.ts";
import zhCn from "../../messages/zh-CN/apart/model-forms.ts";

/** What the forms of the specification's models say, by the catalog's English text. */
const catalogWords: Partial<Record<Language, Readonly<Record<string, string>>>> = { "zh-CN": zhCn };

/** Models of the specification. Operators' entries cannot have their namespace, and show their own words. */
export const ofSpecification = /^svc\//;

/** A model of the specification with the titles and descriptions of its fields in the reader's language. */
export function modelInLanguage<Model extends Pick<CatalogModel, "id" | "operations">>(
  model: Model,
  language: Language,
): Model {
  const words = catalogWords[language];
  if (!words || !ofSpecification.test(model.id)) return model;
  const operations = model.operations.map((operation) => ({
    ...operation,
    input_schema: inWords(operation.input_schema, words) as typeof operation.input_schema,
  }));
  return { ...model, operations };
}

/** All models of a catalog, as `modelInLanguage`. */
export function modelsInLanguage<Model extends Pick<CatalogModel, "id" | "operations">>(
  models: readonly Model[],
  language: Language,
): Model[] {
  return models.map((model) => modelInLanguage(model, language));
}

/** Only the words of a schema: names of fields, values and examples stay, also those called `title`. */
function inWords(schema: unknown, words: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => inWords(part, words));
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if ((key === "title" || key === "description") && typeof value === "string")
        return [key, Object.hasOwn(words, value) ? words[value] : value];
      if (["const", "enum", "default", "examples"].includes(key)) return [key, value];
      return [key, inWords(value, words)];
    }),
  );
}
