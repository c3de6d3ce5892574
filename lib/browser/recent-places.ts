/** A page that somebody had open: its address without filters, and what it is called. */
export interface RecentPlace {
  href: string;
  label: string;
  /** Its label is a person's word for it, better than the title of its page. */
  isNamed?: boolean;
}

/** Kept per browser, person and account, the last one first. */
const maxKept = 40;
const longestLabel = 120;

const keyOf = (person: string, accountId: string) => `gatehouse-recent-${person}-${accountId}`;

/** The last ones first; empty where the browser stores nothing. */
export function recentPlaces(person: string, accountId: string): RecentPlace[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(person, accountId)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isPlace) : [];
  } catch {
    return [];
  }
}

/** Puts a place first, under its name or the title of its page; what it was called before stays where nothing is said. */
export function rememberPlace(
  person: string,
  accountId: string,
  href: string,
  { name, title }: { name?: string; title?: string } = {},
): void {
  const before = recentPlaces(person, accountId);
  const known = before.find((place) => place.href === href);
  const isNamed = name !== undefined || known?.isNamed === true;
  const label = name ?? (isNamed ? known?.label : title) ?? known?.label ?? "";
  const place: RecentPlace = { href, label: label.slice(0, longestLabel), ...(isNamed && { isNamed }) };
  const kept = [place, ...before.filter((other) => other.href !== href)].slice(0, maxKept);
  try {
    localStorage.setItem(keyOf(person, accountId), JSON.stringify(kept));
  } catch {
    // Storage may be full or forbidden; the list is a convenience.
  }
}

function isPlace(value: unknown): value is RecentPlace {
  const { href, label } = (value ?? {}) as Partial<RecentPlace>;
  return (
    typeof href === "string" && href.startsWith("/") && !href.startsWith("//") && typeof label === "string"
  );
}
