import type { Permission } from "#contract/accounts/permissions.ts";
import type { Preferences } from "@/lib/preferences";
import type { Key } from "@/messages/words";

/** Something that Ctrl K does: one of `href`, `set` and `shell`. */
export interface PaletteAction {
  /** A message of `palette`, which begins with a verb or is what people type. */
  label: Key<"palette">;
  /** Other English words that people use for it. */
  words: string;
  /** Opens a page. With `do`, it opens the page's dialog, which asks whatever has to be asked. */
  href?: string;
  /** Changes settings of this browser. */
  set?: Partial<Preferences>;
  /** Done by the shell. */
  shell?: "shortcuts" | "sign-out" | "copy-address";
  /** Who may do it: a permission of the role, operators, or people without a key. Missing: everybody. */
  only?: Permission | "operator" | "person";
}

/** All actions, in the order in which they are offered before something is typed. */
export const paletteActions: readonly PaletteAction[] = [
  { label: "runModel", words: "try generate make playground", href: "/catalog", only: "operations:run" },
  { label: "createKey", words: "new add api token secret", href: "/keys?do=create", only: "keys:own" },
  {
    label: "addEndpoint",
    words: "new create webhook receiver url hook",
    href: "/webhooks/endpoints?do=add",
    only: "endpoints:manage",
  },
  {
    label: "retryDeliveries",
    words: "resend send again replay webhooks events dead letters missed",
    href: "/webhooks/deliveries?status=dead-letter&do=retry",
    only: "deliveries:retry",
  },
  {
    label: "invite",
    words: "add new member user person colleague team",
    href: "/settings/team?do=invite",
    only: "members:manage",
  },
  {
    label: "setUpGuard",
    words: "new add moderation guardrails content filter block policy webhook",
    href: "/settings/guard",
    only: "account:manage",
  },
  { label: "uploadFiles", words: "send add photo video audio", href: "/uploads", only: "uploads:write" },
  { label: "startBatch", words: "new bulk csv rows", href: "/batches/new", only: "operations:run" },
  { label: "compareModels", words: "side by side evaluate", href: "/compare", only: "operations:run" },
  { label: "addAlias", words: "new create name", href: "/aliases?do=add", only: "aliases:manage" },
  {
    label: "addDestination",
    words: "new create connect bucket s3 storage copy",
    href: "/destinations?do=add",
    only: "destinations:manage",
  },
  {
    label: "addNoticeHook",
    words: "new create slack discord teams chat alert notify",
    href: "/settings/notifications?do=add",
    only: "notices:manage",
  },
  {
    label: "changeBudgets",
    words: "set limit spending",
    href: "/settings?do=budgets",
    only: "budgets:manage",
  },
  {
    label: "failedPredictions",
    words: "list find errors failures runs",
    href: "/predictions?status=failed",
    only: "predictions:read",
  },
  {
    label: "failedRequests",
    words: "list find errors failures 500 5xx logs",
    href: "/requests?status_class=5xx",
    only: "requests:read",
  },
  {
    label: "refusedRequests",
    words: "list find errors failures 400 4xx 429 invalid logs",
    href: "/requests?status_class=4xx",
    only: "requests:read",
  },
  {
    label: "deadLetters",
    words: "list find failed deliveries webhooks events",
    href: "/webhooks/deliveries?status=dead-letter",
    only: "deliveries:read",
  },
  { label: "exportUsage", words: "download csv cost billing invoice", href: "/usage", only: "usage:own" },
  {
    label: "addPasskey",
    words: "new register fingerprint second factor 2fa mfa",
    href: "/settings/profile?do=passkey",
    only: "person",
  },
  { label: "changePassword", words: "set new reset", href: "/settings/profile", only: "person" },
  {
    label: "connectProvider",
    words: "add new upstream",
    href: "/operator/providers/new",
    only: "operator",
  },
  { label: "addModel", words: "new create import", href: "/operator/models/new", only: "operator" },
  { label: "mapOperation", words: "add new route", href: "/operator/mapping/new", only: "operator" },
  { label: "setPrice", words: "add new change cost", href: "/operator/prices/set", only: "operator" },
  { label: "importPrices", words: "upload csv cost", href: "/operator/prices?do=import", only: "operator" },
  {
    label: "exportProviders",
    words: "backup file",
    href: "/operator/providers?do=export",
    only: "operator",
  },
  {
    label: "importProviders",
    words: "restore file",
    href: "/operator/providers?do=import",
    only: "operator",
  },
  {
    label: "writeIncident",
    words: "new create report outage status",
    href: "/status-and-regions?do=incident",
    only: "operator",
  },
  { label: "lightTheme", words: "appearance bright mode colours", set: { theme: "light" } },
  { label: "darkTheme", words: "appearance night mode colours", set: { theme: "dark" } },
  { label: "systemTheme", words: "appearance automatic mode colours", set: { theme: "system" } },
  { label: "compactRows", words: "density dense small tables", set: { density: "compact" } },
  { label: "comfortableRows", words: "density large tables", set: { density: "comfortable" } },
  { label: "timesInUtc", words: "zone clock", set: { zone: "utc" } },
  { label: "localTimes", words: "zone clock", set: { zone: "local" } },
  { label: "copyAddress", words: "link url share", shell: "copy-address" },
  { label: "shortcuts", words: "show keys hotkeys help", shell: "shortcuts" },
  { label: "signOut", words: "log out logout leave", shell: "sign-out" },
];

/** The English words by which people look for an action in every language: also those of its label. */
export function actionWordsOf({ label, words }: Pick<PaletteAction, "label" | "words">): string {
  return `${words} ${label.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

/** The English words by which people look for a page, in every language: also those of its address. */
export function pageWordsOf(href: string): string {
  return `${pageWords[href] ?? ""} ${href.replaceAll(/[/-]/g, " ")}`;
}

/** What people call the pages, by their address, apart from their names. */
export const pageWords: Readonly<Record<string, string>> = {
  "/": "start overview dashboard",
  "/catalog": "models list playground gallery",
  "/compare": "comparison side by side evaluate",
  "/presets": "templates saved inputs prompts",
  "/conversations": "chats chat history messages",
  "/predictions": "runs jobs results outputs history async",
  "/batches": "bulk jobs tables csv",
  "/library": "kept saved outputs files assets favourites",
  "/uploads": "files inputs images media storage",
  "/destinations": "buckets s3 storage copies export",
  "/keys": "api key token tokens secret credentials",
  "/webhooks/endpoints": "webhook webhooks hooks receivers urls signing secret callbacks",
  "/webhooks/deliveries": "webhook webhooks events attempts sent failed",
  "/requests": "log logs api calls http errors history",
  "/activity": "charts metrics monitoring latency errors traffic graphs",
  "/settings/connections": "agents mcp oauth apps integrations",
  "/aliases": "model names routing fallback",
  "/usage": "billing cost costs spending money bill bills invoice invoices credits consumption",
  "/settings/team": "members people users roles permissions invitations",
  "/attestations": "adult age faces consent gates statements confirm",
  "/settings/notifications": "alerts notices emails mail slack",
  "/audit-log": "logs history changes security who",
  "/settings": "account preferences budgets limits rules retention delete options configuration",
  "/guides": "docs documentation help tutorials how to sdk",
  "/api-reference": "docs documentation openapi schema routes",
  "/status-and-regions": "uptime outage incidents health",
  "/operator/first-steps": "setup set up onboarding",
  "/operator/providers": "upstreams openai anthropic connections credentials",
  "/operator/mapping": "routes routing operations",
  "/operator/models": "entries catalog own import",
  "/operator/prices": "cost pricing markup rates",
  "/operator/all-usage": "billing cost revenue accounts",
  "/operator/health": "monitoring metrics errors latency",
  "/operator/accounts": "customers tenants users prepaid credit",
  "/operator/reports": "abuse complaints takedown",
  "/operator/changes": "audit history configuration undo",
  "/operator/signing": "certificates c2pa provenance content credentials",
  "/operator/installation-guard": "moderation guardrails content filter block policy webhook",
  "/operator/mail": "smtp e-mail email alerts",
  "/notices": "alerts inbox bell unread",
  "/library/check-a-file": "verify provenance signature content credentials",
  "/settings/profile": "me name e-mail password passkey sessions two factor 2fa",
};
