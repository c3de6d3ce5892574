import { compiledPart } from "@/messages/compile";
import { type Part, type Words, wordsOf } from "@/messages/words";

const known = new Map<Part, Words<Part>>();

/** The English words of a part, for tests of functions that take words. Times are in UTC. */
export function english<Of extends Part>(part: Of): Words<Of> {
  const words = known.get(part) ?? wordsOf(compiledPart("en", part), "en", "UTC");
  known.set(part, words);
  return words as unknown as Words<Of>;
}
