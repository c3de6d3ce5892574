import { createHmac } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { deriveKeys, type MasterSecret } from "./console-secret.ts";

/** The header of `/readyz` with the folder's name, if all of the installation's data are in the folder. */
export const folderHeader = "x-svc-data-folder";

/** A name of the data folder that does not reveal its path. A copy elsewhere has another name, though the same secret. */
export function nameOfFolder({ dataDir, ...master }: MasterSecret & { dataDir: string }): string {
  const [key] = deriveKeys(master, "data folder");
  return createHmac("sha256", key).update(realpathSync(dataDir)).digest("hex").slice(0, 16);
}

/** Node's codes for a full disk, or an exhausted quota. */
const fullDiskCodes = new Set(["ENOSPC", "EDQUOT"]);

const notWritableCodes = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", "ENOENT"]);

/** Whether this program, or one that it started, found no room on its disk. */
export function isDiskFull(error: unknown): boolean {
  const { code = "", message = "" } = (error ?? {}) as NodeJS.ErrnoException;
  return fullDiskCodes.has(code) || /\bno space left on device\b/i.test(message);
}

/**
 * What to do about an error of the data folder, in one sentence: its disk is full, or it cannot be written.
 * Null for any other error.
 */
export function problemOfFolder(dataDir: string, error: unknown): string | null {
  const { code = "", message = "", path = "" } = (error ?? {}) as NodeJS.ErrnoException;
  if (isDiskFull(error))
    return `the disk of the data folder ${dataDir} is full. Free some space on it, or set GATEHOUSE_DATA_DIR to a folder on another disk.`;
  const isOfFolder = path.startsWith(dataDir) || (path !== "" && dataDir.startsWith(path));
  const isRefused = (isOfFolder && notWritableCodes.has(code)) || /\bRead-only file system\b/.test(message);
  return isRefused
    ? `the data folder ${dataDir} cannot be written (${code || "read-only"}). Let the user who starts Gatehouse write there, or set GATEHOUSE_DATA_DIR to another folder.`
    : null;
}

/**
 * Why a command of this user would spoil an installation: what it makes or opens there would no longer belong to the
 * user who runs Gatehouse, who could then not start it. Null: it may work there.
 */
export function problemOfUser(dataDir: string): string | null {
  const self = process.geteuid?.();
  const made = ["files", "secret", ""].map((name) => path.join(dataDir, name));
  const [owner] = made.flatMap((file) => statSync(file, { throwIfNoEntry: false })?.uid ?? []);
  // Nobody else can change what belongs to root. A mounted folder often does, where a group may write.
  if (self === undefined || owner === undefined || owner === self || owner === 0) return null;
  const user = nameOf(owner) ?? `'#${owner}'`;
  return `the data folder ${dataDir} belongs to ${user}, and this user's commands would leave files that ${user} cannot use. Run it as that user: sudo -u ${user} gatehouse …`;
}

function nameOf(uid: number): string | null {
  try {
    const users = readFileSync("/etc/passwd", "utf8").split("\n");
    return users.find((line) => line.split(":")[2] === String(uid))?.split(":")[0] ?? null;
  } catch {
    return null; // Some systems keep their users elsewhere; sudo takes a number too.
  }
}
