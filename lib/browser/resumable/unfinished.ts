/**
 * Uploads that this browser began and that can continue, newest first. Only ids and the files' dates are kept, not their names: the gateway knows
 * those, and tells them to their own account only.
 */
export interface Unfinished {
  id: string;
  /** When the file was last modified, as the browser says it. */
  modifiedMs: number;
}

const key = "gatehouse-unfinished-uploads";
const maxKept = 20;

/** Files that this page still has, by upload: after a visit of another page they need not be chosen again. */
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

/** From now on the file has to be chosen again. */
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
    // Storage may be full or forbidden: then an upload cannot continue after a reload.
  }
}
