import type { Role } from "#contract/accounts/constants.ts";
import type { Maker } from "#contract/accounts/people.ts";

/**
 * The creator of a resource: the member, and the key if they used one. Null if the gateway does not name one.
 */
export function makerName(maker: Maker | undefined): string | null {
  if (!maker) return null;
  const { user, key } = maker;
  if (user) return key ? `${user.name} (${key.name})` : user.name;
  return key?.name ?? null;
}

export const roleLabels: Record<Role, string> = {
  owner: "Owner",
  admin: "Admin",
  member: "Member",
  viewer: "Viewer",
  billing: "Billing",
};

/** The rights of each role, in one line. */
export const roleMeanings: Record<Role, string> = {
  owner: "Everything. Only owners appoint owners and delete the account.",
  admin: "Everything except the account itself and its owners: members, service keys, endpoints, budgets.",
  member: "Runs operations, uploads files, retries deliveries, and has personal keys.",
  viewer: "Sees predictions, media, deliveries and usage, and changes nothing.",
  billing: "Sees usage only: no prompts, no media.",
};

const browsers: readonly [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux/, "Linux"],
];

/** A user agent in plain words, such as "Firefox on Windows". A program has its own name. */
export function deviceOf(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const find = (known: typeof browsers) => known.find(([form]) => form.test(userAgent))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (browser) return system ? `${browser} on ${system}` : browser;
  return system ? `A program on ${system}` : (userAgent.split("/")[0]?.slice(0, 40) ?? "A program");
}
