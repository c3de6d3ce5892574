import type { TestProject } from "vitest/node";
import { catalogues, compiledPart } from "../../messages/compile.ts";
import type { Language } from "../../messages/languages.ts";
import type { Part, PartMessages } from "../../messages/words.ts";

declare module "vitest" {
  export interface ProvidedContext {
    messages: Record<Language, Record<Part, PartMessages>>;
  }
}

const parts = Object.keys(catalogues.en) as Part[];

/** Compiles the messages once for all test files, which otherwise load and compile them one by one. */
export default function setup(project: TestProject): void {
  const compiled = Object.keys(catalogues).map((name) => {
    const language = name as Language;
    return [language, Object.fromEntries(parts.map((part) => [part, compiledPart(language, part)]))];
  });
  project.provide("messages", Object.fromEntries(compiled));
}
