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
