import { shortenId } from "@/lib/format";
import { destinationOf, destinations } from "./navigation.ts";

export interface PathCrumb {
  label: string;
  /** Null for a step without a page. */
  href: string | null;
}

/** Steps that are not pages of the rail. */
const plainWords: Record<string, string> = {
  bill: "Compare with a bill",
  "check-a-file": "Check a file",
  compare: "Compare",
  connect: "Connect a provider",
  deleted: "Deleted accounts",
  earlier: "Earlier comparisons",
  plans: "Plans",
  reports: "Reports of shared links",
  rules: "Key rules",
  shared: "Shared links",
  "identity-provider": "Identity provider",
  metadata: "Metadata",
  new: "New",
  notices: "Notices",
  operator: "Instance",
  set: "Set a price",
  profile: "Your profile",
  "event-types": "Event types",
  tasks: "Tasks",
};

/** Lists whose filters are also in the addresses of their rows, so that the way back keeps the filters. */
const filteredLists = ["/predictions", "/webhooks/deliveries", "/requests"];

/** The breadcrumbs of a page, from its address. `search` is its query string without `?`. */
export function crumbsOf(pathname: string, search = ""): PathCrumb[] {
  const segments = pathname.split("/").filter(Boolean).map(decodeSegment);
  if (segments.length === 0) return [{ label: "Home", href: "/" }];
  const [section, namespace, name, ...rest] = segments;
  // `svc/chat-1` is one name and one step, followed by its playground.
  if ((section === "catalog" || section === "playground") && namespace && name)
    return [
      { label: "Catalog", href: "/catalog" },
      { label: `${namespace}/${name}`, href: `/catalog/${namespace}/${name}` },
      ...rest.map((part) => ({ label: plainWords[part] ?? part, href: null })),
    ];
  if (section === "operator" && namespace === "models" && rest.length > 0)
    return [...crumbsOf("/operator/models"), { label: [name, ...rest].join("/"), href: null }];
  const crumbs = segments.map((segment, index) => {
    const href = `/${segments.slice(0, index + 1).join("/")}`;
    const destination = destinations.find((entry) => entry.href === href);
    const label =
      destination?.label ??
      plainWords[segment] ??
      (section === "guides" ? titled(segment) : shortenId(segment));
    const isWayBack =
      index === segments.length - 2 && filteredLists.includes(href) && segments.at(-1) !== "compare";
    return { label, href: destination ? href + (isWayBack && search ? `?${search}` : "") : null };
  });
  // A page of the rail starts its own breadcrumbs, wherever its address is: Team is not a part of Settings.
  const page = destinationOf(pathname);
  const start = page ? page.href.split("/").length - 2 : segments.length - 1;
  return section === "operator" ? crumbs : crumbs.slice(start);
}

/** Short titles, because the real titles would have to be in every page's script. */
function titled(slug: string): string {
  return slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll("-", " ");
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
