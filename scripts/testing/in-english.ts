import { vi } from "vitest";
import { compiledPart } from "@/lib/words/compile";
import { type Part, type Words, wordsOf } from "@/lib/words/words";

/** A component that a test draws without its page speaks English. */
vi.mock("@/components/words/use-words", async (original) => {
  const module = await original<typeof import("@/components/words/use-words")>();
  const english = new Map<Part, Words<Part>>();
  return {
    ...module,
    useWords(part: Part) {
      try {
        // biome-ignore lint/correctness/useHookAtTopLevel: a component has its page's words at every render, or at none.
        return module.useWords(part);
      } catch {
        const known = english.get(part) ?? wordsOf(compiledPart("en", part), "en", "UTC");
        english.set(part, known);
        return known;
      }
    },
  };
});
