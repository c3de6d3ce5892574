/** How far an upload is, told to the other tabs of this browser: the numbers only, since another tab may be of another person. */
export interface ToldProgress {
  id: string;
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond: number | null;
}

const channelName = "gatehouse-uploads";

export function tellTabs(progress: readonly ToldProgress[]): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(progress);
  channel.close();
}

/** Calls `listener` with what other tabs tell, until the returned function is called. */
export function onTold(listener: (progress: readonly ToldProgress[]) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<readonly ToldProgress[]>) => listener(data);
  return () => channel.close();
}

const lockOf = (id: string) => `gatehouse upload ${id}`;

/** Does `work` while all tabs see that this one sends the upload. Browsers give locks to pages by https only. */
export function sending<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  return navigator.locks ? navigator.locks.request(lockOf(id), { mode: "shared" }, work) : work();
}

/** The ones of these uploads that no tab of this browser is sending. */
export async function idleAmong(ids: readonly string[]): Promise<string[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const busy = new Set(held.map(({ name }) => name));
  return ids.filter((id) => !busy.has(lockOf(id)));
}
