import type { SearchAnswer } from "#contract/search.ts";
import { hasWords, searchWords } from "#contract/search-words.ts";

/**
 * Those results for an earlier text that certainly contain the words of this one, because Enter must not open
 * anything else.
 */
export function narrow(answer: SearchAnswer, text: string): SearchAnswer {
  const words = searchWords(text);
  const groups = answer.groups.map((group) => ({
    ...group,
    data: group.data.filter(({ id, name, about }) => hasWords(`${name} ${about ?? ""} ${id}`, words)),
  }));
  return { ...answer, groups: groups.filter(({ data }) => data.length > 0) };
}
