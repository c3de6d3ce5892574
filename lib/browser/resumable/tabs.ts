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
