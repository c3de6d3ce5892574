import type { TestProject } from "vitest/node";
import { catalogues, compiledPart } from "../../messages/compile.ts";
import type { Part, PartMessages } from "../../messages/words.ts";

declare module "vitest" {
  export interface ProvidedContext {
    english: Record<Part, PartMessages>;
  }
}

/** Compiles the English messages once for all test files, which otherwise load and compile them one by one. */
export default function setup(project: TestProject): void {
  const parts = Object.keys(catalogues.en) as Part[];
  project.provide(
    "english",
    Object.fromEntries(parts.map((part) => [part, compiledPart("en", part)])) as Record<Part, PartMessages>,
  );
}
