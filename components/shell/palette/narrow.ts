import type { SearchAnswer } from "#contract/search.ts";
import { hasWords, searchWords } from "#contract/search-words.ts";

/** Of what was found for an earlier text, what certainly has the words of this one: Enter must open nothing else. */
export function narrow(answer: SearchAnswer, text: string): SearchAnswer {
  const words = searchWords(text);
  const groups = answer.groups.map((group) => ({
    ...group,
    data: group.data.filter(({ id, name, about }) => hasWords(`${name} ${about ?? ""} ${id}`, words)),
  }));
  return { ...answer, groups: groups.filter(({ data }) => data.length > 0) };
}
