/** A page that somebody opened: its address without filters, and its label. */
export interface RecentPlace {
  href: string;
  label: string;
  /** True when a person chose the label as a name. Such a label is better than the page's title. */
  isNamed?: boolean;
}

/** Recent pages, stored per browser, person and account, newest first. */
const maxKept = 40;
const maxLabelLength = 120;

const keyOf = (person: string, accountId: string) => `gatehouse-recent-${person}-${accountId}`;

/** The stored pages, newest first. Empty if the browser stores nothing. */
export function recentPlaces(person: string, accountId: string): RecentPlace[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(person, accountId)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isPlace) : [];
  } catch {
    return [];
  }
}

/**
 * Moves a page to the front, labelled with its name or the page's title. Without either, it keeps its old
 * label.
 */
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
  const place: RecentPlace = { href, label: label.slice(0, maxLabelLength), ...(isNamed && { isNamed }) };
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
