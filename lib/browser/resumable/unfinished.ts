/**
 * Unfinished uploads of this browser that can continue, newest first. Only ids and file dates are stored. The
 * gateway knows the file names, and tells only their account.
 */
export interface Unfinished {
  id: string;
  /** The file's modification time, as reported by the browser. */
  modifiedMs: number;
}

const key = "gatehouse-unfinished-uploads";
const maxKept = 20;

/**
 * Files this page still has, by upload id, so that visiting another page does not require choosing them
 * again.
 */
const files = new Map<string, File>();

export function unfinishedUploads(): Unfinished[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isUnfinished) : [];
  } catch {
    return [];
  }
}

export function rememberUnfinished(id: string, file: File): void {
  files.set(id, file);
  const others = unfinishedUploads().filter((kept) => kept.id !== id);
  write([{ id, modifiedMs: file.lastModified }, ...others].slice(0, maxKept));
}

export function forgetUnfinished(id: string): void {
  files.delete(id);
  const kept = unfinishedUploads();
  if (kept.some((one) => one.id === id)) write(kept.filter((one) => one.id !== id));
}

export function fileOf(id: string): File | undefined {
  return files.get(id);
}

/** Forgets the file, which must then be chosen again. */
export function dropFile(id: string): void {
  files.delete(id);
}

function isUnfinished(value: unknown): value is Unfinished {
  const { id, modifiedMs } = (value ?? {}) as Partial<Unfinished>;
  return typeof id === "string" && typeof modifiedMs === "number";
}

function write(kept: Unfinished[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // Storage may be full or forbidden; then an upload cannot continue after a reload.
  }
}
