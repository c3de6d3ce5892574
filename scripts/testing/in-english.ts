import { vi } from "vitest";
import type { Part } from "@/messages/words";
import { english } from "./english.ts";

/** A component that a test draws without its page speaks English. */
vi.mock("@/components/words/use-words", async (original) => {
  const module = await original<typeof import("@/components/words/use-words")>();
  return {
    ...module,
    useWords(part: Part) {
      try {
        // biome-ignore lint/correctness/useHookAtTopLevel: a component has its page's words at every render, or at none.
        return module.useWords(part);
      } catch {
        return english(part);
      }
    },
  };
});
