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
} from "node:fs";
import path from "node:path";
import { linkLibraries } from "./binaries.ts";

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

/**
 * Copies the programs to a folder where every user can run them, as hard links if file system and modes
 * allow.
 */
export function copyPrograms(from: string, parent: string): string {
  const packageFile = readFileSync(path.join(from, "..", "package.json"), "utf8");
  const { version } = JSON.parse(packageFile) as { version: string };
  const target = path.join(parent, version, "native");
  if (existsSync(target)) return target;
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
  return target;
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
