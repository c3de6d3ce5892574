import type { DatabaseServer } from "#contract/operator/health.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { socketFolderPrefix } from "./embedded/postmaster.ts";
import { bundledPrograms } from "./embedded/programs.ts";

/** Known minor releases of the supported major versions, by their day. */
const knownReleases: Record<string, readonly string[]> = {
  "2025-11-13": ["18.1", "17.7", "16.11", "15.15"],
  "2026-02-12": ["18.2", "17.8", "16.12", "15.16"],
  "2026-02-26": ["18.3", "17.9", "16.13", "15.17"],
  "2026-05-14": ["18.4", "17.10", "16.14", "15.18"],
  "2026-08-13": ["18.6", "17.11", "16.15", "15.19"],
};
/** PostgreSQL plans its minor releases for the second Thursday of these months, counted from 0. */
const plannedMonths = [1, 4, 7, 10] as const;
const thursday = 4;

/** Which PostgreSQL this is, and how old. `reported` is its setting `server_version`. */
export function describeServer(
  reported: string,
  config: Pick<Config, "databaseUrl">,
  nowMs: number,
): DatabaseServer {
  const version = reported.split(" ")[0] ?? reported;
  return { version, kind: kindOf(version, config), ...ageOf(version, nowMs) };
}

function kindOf(version: string, config: Pick<Config, "databaseUrl">): DatabaseServer["kind"] {
  if (!isEmbedded(config)) return "own";
  return version === bundledPrograms().version ? "bundled" : "installed";
}

/** A process of a supervisor has the embedded server's socket in its DATABASE_URL. */
function isEmbedded({ databaseUrl }: Pick<Config, "databaseUrl">): boolean {
  return databaseUrl === null || databaseUrl.includes(encodeURIComponent(`/${socketFolderPrefix}`));
}

function ageOf(version: string, nowMs: number): Pick<DatabaseServer, "released_on" | "newer_on"> {
  const [major, minor] = version.split(".");
  const ofMajor = Object.entries(knownReleases).flatMap(([day, versions]) =>
    versions
      .filter((known) => known.split(".")[0] === major)
      .map((known) => ({ day, minor: Number(known.split(".")[1]) })),
  );
  const last = ofMajor.at(-1);
  // Of a major version or a release that is younger than this list, nothing is known.
  if (!last || Number(minor) > last.minor) return { released_on: null, newer_on: [] };
  const released = ofMajor.find((known) => known.minor === Number(minor));
  const newer = ofMajor.filter((known) => known.minor > Number(minor)).map(({ day }) => day);
  return { released_on: released?.day ?? null, newer_on: [...newer, ...plannedAfter(last.day, nowMs)] };
}

function plannedAfter(day: string, nowMs: number): string[] {
  const days: string[] = [];
  for (let year = Number(day.slice(0, 4)); year <= new Date(nowMs).getUTCFullYear(); year += 1)
    for (const month of plannedMonths) days.push(secondThursday(year, month));
  return days.filter((planned) => planned > day && Date.parse(planned) <= nowMs);
}

function secondThursday(year: number, month: number): string {
  const firstWeekday = new Date(Date.UTC(year, month, 1)).getUTCDay();
  const date = 1 + ((thursday - firstWeekday + 7) % 7) + 7;
  return new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);
}
