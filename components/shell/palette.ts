import type { SearchAnswer } from "#contract/search.ts";
import { hasWords, searchWords } from "#contract/search-words.ts";
import type { RecentPlace } from "@/lib/browser/recent-places";
import { shortenId } from "@/lib/format";
import type { Destination } from "./navigation.ts";

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

const maxShown = 6;

const id = /[a-z]+_[0-9a-z]{26}$/;

/** Recently opened places other than the pages of the rail, such as an endpoint, without the open page. */
export function recentEntries(
  places: readonly RecentPlace[],
  pages: readonly Pick<Destination, "href">[],
  here: string,
): { href: string; label: string; about: string | null }[] {
  return places
    .filter(({ href, label }) => href !== here && label !== "" && !pages.some((page) => page.href === href))
    .slice(0, maxShown)
    .map(({ href, label }) => {
      const shown = shortenId(id.exec(href)?.[0] ?? "");
      return { href, label, about: shown === "" || label.includes(shown) ? null : shown };
    });
}

/** Recently used pages first, the others in the rail's order. */
export function byLastUse<Page extends { href: string }>(
  pages: readonly Page[],
  places: readonly RecentPlace[],
): Page[] {
  const turn = new Map(places.map(({ href }, index) => [href, index]));
  const turnOf = ({ href }: Page) => turn.get(href) ?? places.length;
  return pages.toSorted((a, b) => turnOf(a) - turnOf(b));
}
