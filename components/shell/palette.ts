import type { Found, SearchAnswer } from "#contract/search.ts";
import { fold, hasWholeWord, hasWords, searchWords, unquoted } from "#contract/search-words.ts";
import type { RecentPlace } from "@/lib/browser/recent-places";
import { shortenId } from "@/lib/format";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";
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

/**
 * How well an entry matches what was typed; lower is better. The whole name comes first, then whole words of
 * the name, whole words of its other words, beginnings, and other parts of the name. Null: not every word
 * occurs.
 */
export function rankOf(name: string, words: readonly string[], others = ""): number | null {
  const text = fold(name);
  const all = `${text} ${fold(others)}`;
  const typed = words.map((word) => fold(unquoted(word)));
  if (text === typed.join(" ")) return 0;
  if (typed.every((word) => hasWholeWord(text, word))) return 1;
  if (typed.every((word) => hasWholeWord(all, word))) return 2;
  if (typed.every((word) => beginsWord(text, word))) return 3;
  if (typed.every((word) => beginsWord(all, word))) return 4;
  return typed.every((word) => text.includes(word)) ? 5 : null;
}

/** As `rankOf`, but an action comes before pages only if its verb is typed. */
export function actionRankOf(label: string, words: readonly string[], others: string): number | null {
  const rank = rankOf(label, words, others);
  const isVerbTyped = words.some((word) => fold(label).startsWith(fold(unquoted(word))));
  return rank === null || isVerbTyped ? rank : Math.max(rank, 2.5);
}

function beginsWord(text: string, word: string): boolean {
  return ` ${text.replace(/[-/.,:]/g, " ")}`.includes(` ${word}`);
}

/** The items that match, best first. Without words all of them, in their own order. */
export function matching<Item>(
  items: readonly Item[],
  words: readonly string[],
  rank: (item: Item) => number | null,
): { item: Item; rank: number }[] {
  if (words.length === 0) return items.map((item) => ({ item, rank: 0 }));
  return items
    .flatMap((item) => {
      const found = rank(item);
      return found === null ? [] : [{ item, rank: found }];
    })
    .sort((a, b) => a.rank - b.rank);
}

/** The text of the last event, shown before its time. Null if there was none. */
export function describeLast(
  t: Words<"palette">,
  { kind, state, at }: Pick<Found, "kind" | "state" | "at">,
): string | null {
  if (state === null) return null;
  // The names of choices in messages have no hyphen.
  const shown = t("state", { state: state.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()) });
  return kind === "member" && at !== null ? t("seen", { state: shown }) : shown;
}

/** How often a value of metadata is used, which the gateway says as `1 prediction, 2 requests`. */
export function describeUses(t: Words<"palette">, about: string): string {
  const uses = [...about.matchAll(/(\d+) (prediction|request)/g)];
  return listText(
    t.language,
    uses.map(([, count, what]) =>
      t(what === "prediction" ? "predictions" : "requests", { count: Number(count) }),
    ),
    "plain",
  );
}
