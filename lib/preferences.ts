import { isLanguage, type Language } from "../messages/languages.ts";

/** The sections of the navigation rail that open and close. */
export const railSections = ["build", "results", "developers", "account", "help"] as const;
export type RailSection = (typeof railSections)[number];

/**
 * A user's settings for this browser. They are in a cookie, so that the server renders the first page
 * correctly.
 */
export interface Preferences {
  /** `system`: follows the browser's preference. */
  theme: "light" | "dark" | "system";
  density: "comfortable" | "compact";
  /** Null: the one that the browser asks for. */
  language: Language | null;
  zone: "local" | "utc";
  /** The browser's time zone, e.g. `Europe/Berlin`. Null until it is known. */
  localZone: string | null;
  /** Single-letter shortcuts can be switched off (WCAG 2.1.4). */
  shortcuts: boolean;
  /** How the catalog is shown. */
  catalog: "gallery" | "table";
  /** Whether Home shows the first steps, until they are done or hidden. */
  firstSteps: boolean;
  /** Whether Home shows an operator's first steps, until they are done or hidden. */
  operatorSteps: boolean;
  /** The section of the rail that the user opened last. Null: it was closed again. */
  railSection: RailSection | null;
  /** The account that the user opened last, for people with several. */
  account: string | null;
}

export const themes = [
  { value: "light", icon: "sun" },
  { value: "dark", icon: "moon" },
  { value: "system", icon: "monitor" },
] as const;

/** A theme with its icon. */
export function themeOf(value: Preferences["theme"]): (typeof themes)[number] {
  return themes.find((theme) => theme.value === value) ?? themes[2];
}

export const preferencesCookie = "gatehouse-preferences";
export const preferencesMaxAgeSeconds = 31_536_000;

export const defaultPreferences: Preferences = {
  theme: "system",
  density: "comfortable",
  language: null,
  zone: "local",
  localZone: null,
  shortcuts: true,
  catalog: "gallery",
  firstSteps: true,
  operatorSteps: true,
  railSection: "build",
  account: null,
};

/** Reads the cookie. Unknown or damaged values become their defaults. */
export function parsePreferences(cookie: string | undefined): Preferences {
  const values = new URLSearchParams(cookie ? safeDecode(cookie) : "");
  const theme = values.get("theme");
  const language = values.get("language") ?? "";
  return {
    theme: theme === "light" || theme === "dark" ? theme : "system",
    density: values.get("density") === "compact" ? "compact" : "comfortable",
    language: isLanguage(language) ? language : null,
    zone: values.get("zone") === "utc" ? "utc" : "local",
    localZone: knownZone(values.get("localZone")),
    shortcuts: values.get("shortcuts") !== "off",
    catalog: values.get("catalog") === "table" ? "table" : "gallery",
    firstSteps: values.get("first-steps") !== "off",
    operatorSteps: values.get("operator-steps") !== "off",
    railSection: readSection(values.get("rail")),
    account: values.get("account"),
  };
}

/** The cookie's value for these preferences. */
export function serialisePreferences(preferences: Preferences): string {
  const values = new URLSearchParams({
    theme: preferences.theme,
    density: preferences.density,
    zone: preferences.zone,
    shortcuts: preferences.shortcuts ? "on" : "off",
    catalog: preferences.catalog,
    "first-steps": preferences.firstSteps ? "on" : "off",
    "operator-steps": preferences.operatorSteps ? "on" : "off",
    rail: preferences.railSection ?? "closed",
  });
  if (preferences.language) values.set("language", preferences.language);
  if (preferences.account) values.set("account", preferences.account);
  if (preferences.localZone) values.set("localZone", preferences.localZone);
  return encodeURIComponent(values.toString());
}

/** The IANA zone in which times are displayed. */
export function displayZone(preferences: Preferences): string {
  return preferences.zone === "utc" ? "UTC" : (preferences.localZone ?? "UTC");
}

function readSection(text: string | null): RailSection | null {
  if (text === "closed") return null;
  return railSections.find((section) => section === text) ?? defaultPreferences.railSection;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function knownZone(zone: string | null): string | null {
  if (!zone) return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return null;
  }
}
