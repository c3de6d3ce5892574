import { inject } from "vitest";
import type { Language } from "@/messages/languages";
import type { Part, PartMessages } from "@/messages/words";

const messages = inject("messages");

/** Stands for `compiledPart` of `messages/compile.ts`, which loads every message of every language. */
export const compiledPart = (language: Language, part: Part): PartMessages => messages[language][part];
