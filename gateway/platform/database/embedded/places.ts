import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";

/** Major version of the bundled server; it refuses a cluster of another version. */
export const majorVersion = "18";

const everyoneReads = 0o004;

/** The path of the cluster: a link in the data folder, or the cluster itself. */
export function clusterLink(dataDir: string): string {
  return path.join(realpathSync(dataDir), "postgres");
}

/** The real path of the cluster; the data folder may link to it, and it need not exist yet. */
export function clusterFolder(dataDir: string): string {
  const folder = clusterLink(dataDir);
  const linked = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink();
  return linked ? path.resolve(path.dirname(folder), readlinkSync(folder)) : folder;
}

/** Moves a folder, also across file systems; after a crash it is complete at one of the two places. */
export function moveFolder(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    cpSync(from, `${to}.draft`, { recursive: true, preserveTimestamps: true });
    renameSync(`${to}.draft`, to);
    rmSync(from, { recursive: true });
  }
}

/** The embedded server cannot run here; the message gives the reason and what to do. */
export class EmbeddedUnavailable extends Error {
  constructor(reason: string) {
    super(
      `${reason} The embedded database cannot run here: set DATABASE_URL to a PostgreSQL server (15 or newer).`,
    );
  }
}

/**
 * Copies the bundled programs, with their libraries, to a folder where every user can run them, as hard links
 * if file system and modes allow.
 */
export function copyPrograms(folder: string, parent: string): string {
  const from = path.dirname(folder);
  const packageFile = readFileSync(path.join(from, "..", "package.json"), "utf8");
  const { version } = JSON.parse(packageFile) as { version: string };
  const target = path.join(parent, version, "native");
  const copied = path.join(target, path.basename(folder));
  if (existsSync(target)) return copied;
  const draft = path.join(parent, `${version}.${process.pid}`, "native");
  publicFolder(draft);
  for (const name of readdirSync(from, { recursive: true, encoding: "utf8" }).sort()) {
    const source = path.join(from, name);
    const entry = lstatSync(source);
    if (entry.isDirectory()) publicFolder(path.join(draft, name));
    if (entry.isFile()) copyFile(source, path.join(draft, name), entry.mode);
  }
  linkLibraries(draft);
  rmSync(path.dirname(target), { recursive: true, force: true });
  renameSync(path.dirname(draft), path.dirname(target));
  return copied;
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

function copyFile(source: string, target: string, mode: number): void {
  try {
    if (!(mode & everyoneReads)) throw new Error("others cannot read this file, nor a link to it");
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
    chmodSync(target, mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Creates a folder that every user may enter, whatever the umask. */
export function publicFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true });
  for (let at = folder; made && at.length >= made.length; at = path.dirname(at)) chmodSync(at, 0o755);
}

/** Changes the owner of a whole tree, its top folder last, so that an interrupted change is repeated. */
export function giveTo(folder: string, owner: { uid: number; gid: number }): void {
  if (statSync(folder).uid === owner.uid) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    chownSync(path.join(folder, name), owner.uid, owner.gid);
  chownSync(folder, owner.uid, owner.gid);
}
