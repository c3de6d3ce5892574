/**
 * Unfinished uploads of this browser that can continue, newest first. The browser stores only ids and file
 * dates; the gateway has the file names and returns them only to their account.
 */
export interface Unfinished {
  id: string;
  /** The file's modification time, as reported by the browser. */
  modifiedMs: number;
}

const key = "gatehouse-unfinished-uploads";

const maxKept = 20;

/**
 * Files that this page still has, by upload id, so that the user need not choose them again after visiting
 * another page.
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

/** Forgets the file. The user must then choose it again. */
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

/**
 * Upload progress, shared with the other tabs of this browser. Only numbers are shared, because another tab
 * may belong to another person.
 */
export interface TabProgress {
  id: string;
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond: number | null;
}

const channelName = "gatehouse-uploads";

export function shareProgress(progress: readonly TabProgress[]): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(progress);
  channel.close();
}

/** Calls `listener` with progress from other tabs. Returns a function that unsubscribes. */
export function onTabProgress(listener: (progress: readonly TabProgress[]) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<readonly TabProgress[]>) => listener(data);
  return () => channel.close();
}

const lockOf = (id: string) => `gatehouse upload ${id}`;

/**
 * Runs `work` while holding a lock, which shows other tabs that this tab sends the upload. Browsers have
 * locks only over https.
 */
export function sending<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  return navigator.locks ? navigator.locks.request(lockOf(id), { mode: "shared" }, work) : work();
}

/** The uploads in the list that no tab of this browser is sending. */
export async function idleAmong(ids: readonly string[]): Promise<string[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const busy = new Set(held.map(({ name }) => name));
  return ids.filter((id) => !busy.has(lockOf(id)));
}
