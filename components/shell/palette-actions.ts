import type { Permission } from "#contract/accounts/permissions.ts";
import type { Preferences } from "@/lib/preferences";
import type { ShellIconName } from "./shell-icon.tsx";

/** Something that Ctrl K does. An address with `do` opens a dialog of its page, which asks what has to be asked. */
export interface PaletteAction {
  /** Begins with a verb, or is what people type. */
  label: string;
  /** Other words that people use for it. */
  words: string;
  icon: ShellIconName;
  /** Permission that a member's role needs. Missing for actions that everybody may do. */
  permission?: Permission;
  /** `operator`: only operators. `person`: not with a key. */
  only?: "operator" | "person";
  /** Opens a page, changes a setting of this browser, or is done by the shell. */
  does:
    | { href: string }
    | { set: Partial<Preferences> }
    | { shell: "shortcuts" | "sign-out" | "copy-address" };
}

/** All actions, in the order in which they are offered before something is typed. */
export const paletteActions: readonly PaletteAction[] = [
  {
    label: "Run a model",
    words: "playground try generate make create picture image video speech edit transcribe",
    icon: "layout-grid",
    permission: "operations:run",
    does: { href: "/catalog" },
  },
  {
    label: "Create key",
    words: "new add make api token credential secret",
    icon: "key-round",
    permission: "keys:own",
    does: { href: "/keys?do=create" },
  },
  {
    label: "Add endpoint",
    words: "new create register webhook receiver url hook",
    icon: "webhook",
    permission: "endpoints:manage",
    does: { href: "/webhooks/endpoints?do=add" },
  },
  {
    label: "Retry failed deliveries",
    words: "resend send again replay redeliver webhooks events dead letters missed",
    icon: "send",
    permission: "deliveries:retry",
    does: { href: "/webhooks/deliveries?status=dead-letter&do=retry" },
  },
  {
    label: "Invite somebody",
    words: "add new member user person people colleague team",
    icon: "users",
    permission: "members:manage",
    does: { href: "/settings/team?do=invite" },
  },
  {
    label: "Upload files",
    words: "send add input photo picture image video audio",
    icon: "upload",
    permission: "uploads:write",
    does: { href: "/uploads" },
  },
  {
    label: "Start a batch",
    words: "new create bulk table csv rows many",
    icon: "list-checks",
    permission: "operations:run",
    does: { href: "/batches/new" },
  },
  {
    label: "Compare models on one input",
    words: "side by side test evaluate",
    icon: "columns-2",
    permission: "operations:run",
    does: { href: "/compare" },
  },
  {
    label: "Add alias",
    words: "new create name model fallback",
    icon: "signpost",
    permission: "aliases:manage",
    does: { href: "/aliases?do=add" },
  },
  {
    label: "Add destination",
    words: "new create connect bucket s3 storage copy",
    icon: "folder-output",
    permission: "destinations:manage",
    does: { href: "/destinations?do=add" },
  },
  {
    label: "Add incoming webhook for notices",
    words: "new create slack discord teams chat alert notify",
    icon: "bell",
    permission: "notices:manage",
    does: { href: "/settings/notifications?do=add" },
  },
  {
    label: "Change budgets",
    words: "set limit spending money cap account",
    icon: "chart-column",
    permission: "budgets:manage",
    does: { href: "/settings?do=budgets" },
  },
  {
    label: "Show failed predictions",
    words: "list find errors failures runs",
    icon: "clapperboard",
    permission: "predictions:read",
    does: { href: "/predictions?status=failed" },
  },
  {
    label: "Show failed requests",
    words: "list find errors failures 500 5xx logs",
    icon: "arrow-left-right",
    permission: "requests:read",
    does: { href: "/requests?status_class=5xx" },
  },
  {
    label: "Show refused requests",
    words: "list find errors failures 400 4xx 429 invalid logs",
    icon: "arrow-left-right",
    permission: "requests:read",
    does: { href: "/requests?status_class=4xx" },
  },
  {
    label: "Show dead letters",
    words: "list find failed deliveries webhooks events",
    icon: "send",
    permission: "deliveries:read",
    does: { href: "/webhooks/deliveries?status=dead-letter" },
  },
  {
    label: "Export usage",
    words: "download csv cost billing invoice report",
    icon: "chart-column",
    permission: "usage:own",
    does: { href: "/usage" },
  },
  {
    label: "Add passkey",
    words: "new register fingerprint webauthn second factor two 2fa mfa sign in",
    icon: "shield-check",
    only: "person",
    does: { href: "/settings/profile?do=passkey" },
  },
  {
    label: "Change your password",
    words: "set new reset profile sign in",
    icon: "user-round",
    only: "person",
    does: { href: "/settings/profile" },
  },
  {
    label: "Connect a provider",
    words: "add new create upstream openai anthropic key",
    icon: "plug-zap",
    only: "operator",
    does: { href: "/operator/providers/new" },
  },
  {
    label: "Add a model",
    words: "new create import own",
    icon: "boxes",
    only: "operator",
    does: { href: "/operator/models/new" },
  },
  {
    label: "Map an operation",
    words: "add new create route provider",
    icon: "waypoints",
    only: "operator",
    does: { href: "/operator/mapping/new" },
  },
  {
    label: "Set a price",
    words: "add new create change cost",
    icon: "tag",
    only: "operator",
    does: { href: "/operator/prices/set" },
  },
  {
    label: "Import prices",
    words: "upload csv cost",
    icon: "tag",
    only: "operator",
    does: { href: "/operator/prices?do=import" },
  },
  {
    label: "Export providers as a file",
    words: "download backup configuration routes",
    icon: "plug-zap",
    only: "operator",
    does: { href: "/operator/providers?do=export" },
  },
  {
    label: "Import a providers file",
    words: "upload restore configuration routes",
    icon: "plug-zap",
    only: "operator",
    does: { href: "/operator/providers?do=import" },
  },
  {
    label: "Write an incident",
    words: "new create report outage status",
    icon: "signal",
    only: "operator",
    does: { href: "/status-and-regions?do=incident" },
  },
  {
    label: "Light theme",
    words: "appearance bright mode colours",
    icon: "sun",
    does: { set: { theme: "light" } },
  },
  {
    label: "Dark theme",
    words: "appearance night mode colours",
    icon: "moon",
    does: { set: { theme: "dark" } },
  },
  {
    label: "System theme",
    words: "appearance automatic mode colours",
    icon: "monitor",
    does: { set: { theme: "system" } },
  },
  {
    label: "Compact rows",
    words: "density dense small tables",
    icon: "menu",
    does: { set: { density: "compact" } },
  },
  {
    label: "Comfortable rows",
    words: "density large tables",
    icon: "menu",
    does: { set: { density: "comfortable" } },
  },
  { label: "Show times in UTC", words: "zone clock", icon: "settings", does: { set: { zone: "utc" } } },
  { label: "Show local times", words: "zone clock", icon: "settings", does: { set: { zone: "local" } } },
  {
    label: "Copy the address of this page",
    words: "link url share",
    icon: "check",
    does: { shell: "copy-address" },
  },
  {
    label: "Keyboard shortcuts",
    words: "show keys hotkeys help",
    icon: "keyboard",
    does: { shell: "shortcuts" },
  },
  { label: "Sign out", words: "log out logout leave", icon: "log-out", does: { shell: "sign-out" } },
];

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
  "/operator/mail": "smtp e-mail email alerts",
  "/notices": "alerts inbox bell unread",
  "/library/check-a-file": "verify provenance signature content credentials",
  "/settings/profile": "me name e-mail password passkey sessions two factor 2fa",
};
