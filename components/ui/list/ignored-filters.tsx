import { TriangleAlert } from "lucide-react";
import { nearestName } from "#contract/nearest-name.ts";
import { useWords } from "#words";
import type { SearchParams } from "@/lib/page-props";
import { askedParam } from "@/lib/paths";
import { betweenSentences } from "@/messages/marks";
import type { Words } from "@/messages/words";

/** Parameters that every list has: its place, and what its page shall open. */
const others = ["after", "before", askedParam];

/** The filters of a page. A plain name is a filter that accepts any text, which the gateway may refuse. */
type Known = Record<string, { parse: (text: string) => unknown } | string>;

interface IgnoredFiltersProps {
  given: SearchParams;
  known: Known;
}

/** Query parameters of a page that filter nothing, one sentence for each. */
export function ignoredFilters(t: Words<"ui">, given: SearchParams, known: Known): string[] {
  const names = Object.keys(known);
  return Object.entries(given).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value[0] : value;
    if (!text || others.includes(name)) return [];
    const filter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (typeof filter === "string") return [];
    if (filter) return filter.parse(text) === null ? [t("noFilterValue", { name, value: text })] : [];
    const meant = nearestName(name, names);
    return [meant ? t("noFilterMeant", { name, meant }) : t("noFilter", { name })];
  });
}

/** A note above a list whose address contains a filter that the list does not have. */
export function IgnoredFilters({ given, known }: IgnoredFiltersProps) {
  const t = useWords("ui");
  const ignored = ignoredFilters(t, given, known);
  if (ignored.length === 0) return null;
  return (
    <p role="alert" className="mb-4 flex gap-2 rounded-panel border border-warn bg-warn-soft px-4 py-2">
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <span className="min-w-0 wrap-anywhere">
        {[...ignored, t("shownWithoutFilter")].join(betweenSentences(t.language))}
      </span>
    </p>
  );
}
