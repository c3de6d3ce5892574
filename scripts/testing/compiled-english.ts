import { inject } from "vitest";
import type { Part, PartMessages } from "@/messages/words";

const english = inject("english");

/** Stands for `compiledPart` of `messages/compile.ts`, which loads every message of every language. */
export function compiledPart(_language: "en", part: Part): PartMessages {
  return english[part];
}
