import type { SearchAnswer } from "#contract/search.ts";
import { hasWords, searchWords } from "#contract/search-words.ts";

/**
 * Keeps the results for an earlier text that certainly contain the words of the current text. Other results
 * must not stay, because Enter would open one of them.
 */
export function narrow(answer: SearchAnswer, text: string): SearchAnswer {
  const words = searchWords(text);
  const groups = answer.groups.map((group) => ({
    ...group,
    data: group.data.filter(({ id, name, about }) => hasWords(`${name} ${about ?? ""} ${id}`, words)),
  }));
  return { ...answer, groups: groups.filter(({ data }) => data.length > 0) };
}
