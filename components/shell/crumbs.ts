import { shortenId } from "@/lib/format";
import type { PageTitle } from "@/lib/resource-pages";
import type { Words } from "@/messages/words";
import { destinationOf, destinations } from "./navigation.ts";

export interface PathCrumb {
  label: string;
  /** Null for a step without a page. */
  href: string | null;
}

/** Steps that are not pages of the rail. */
const plainTitles: Record<string, PageTitle> = {
  bill: "compareBill",
  "check-a-file": "checkFile",
  compare: "compare",
  connect: "connectProvider",
  deleted: "deletedAccounts",
  earlier: "earlierComparisons",
  guard: "guard",
  plans: "plans",
  reports: "linkReports",
  rules: "keyRules",
  shared: "sharedLinks",
  "identity-provider": "identityProvider",
  metadata: "metadata",
  new: "new",
  notices: "notices",
  operator: "instance",
  set: "setPrice",
  profile: "profile",
  "event-types": "eventTypes",
  tasks: "tasks",
};

/** Guides, whose titles are longer. */
const guideSteps: Record<string, PageTitle> = {
  "first-call": "firstCall",
  streaming: "streaming",
  clients: "clients",
  agents: "agents",
  "caps-per-task": "capsPerTask",
  uploads: "uploads",
  predictions: "predictions",
  webhooks: "webhooks",
  idempotency: "idempotency",
  errors: "errors",
  gates: "gates",
  retention: "retention",
};

/** Lists whose filters are also in the addresses of their rows, so that the way back keeps the filters. */
const filteredLists = ["/predictions", "/webhooks/deliveries", "/requests"];

/** The breadcrumbs of a page, from its address. `search` is its query string without `?`. */
export function crumbsOf(t: Words<"pages">, pathname: string, search = ""): PathCrumb[] {
  const plainLabel = (segment: string) => {
    const title = plainTitles[segment];
    return title && t.text(title);
  };
  const segments = pathname.split("/").filter(Boolean).map(decodeSegment);
  if (segments.length === 0) return [{ label: t("home"), href: "/" }];
  const [section, namespace, name, ...rest] = segments;
  const guideLabel = (segment: string) => {
    const title = section === "guides" ? guideSteps[segment] : undefined;
    return title && t.text(title);
  };
  // `svc/chat-1` is one name and one step, followed by its playground.
  if ((section === "catalog" || section === "playground") && namespace && name)
    return [
      { label: t("catalog"), href: "/catalog" },
      { label: `${namespace}/${name}`, href: `/catalog/${namespace}/${name}` },
      ...rest.map((part) => ({ label: plainLabel(part) ?? part, href: null })),
    ];
  if (section === "operator" && namespace === "models" && rest.length > 0)
    return [...crumbsOf(t, "/operator/models"), { label: [name, ...rest].join("/"), href: null }];
  const crumbs = segments.map((segment, index) => {
    const href = `/${segments.slice(0, index + 1).join("/")}`;
    const destination = destinations.find((entry) => entry.href === href);
    const label =
      (destination && t.text(destination.title)) ??
      plainLabel(segment) ??
      guideLabel(segment) ??
      shortenId(segment);
    const isWayBack =
      index === segments.length - 2 && filteredLists.includes(href) && segments.at(-1) !== "compare";
    return { label, href: destination ? href + (isWayBack && search ? `?${search}` : "") : null };
  });
  // A page of the rail starts its own breadcrumbs, wherever its address is: Team is not a part of Settings.
  const page = destinationOf(pathname);
  const start = page ? page.href.split("/").length - 2 : segments.length - 1;
  return section === "operator" ? crumbs : crumbs.slice(start);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
