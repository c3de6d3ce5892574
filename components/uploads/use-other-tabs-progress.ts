import { useEffect, useState } from "react";
import { onTabProgress, type TabProgress } from "@/lib/browser/resumable/unfinished";

/** A tab that is silent for this long has closed, or has sent everything. */
const silentAfterMs = 4_000;

/** Progress of other tabs' uploads, by upload id. */
export function useOtherTabsProgress(): ReadonlyMap<string, TabProgress> {
  const [progress, setProgress] = useState<ReadonlyMap<string, TabProgress>>(new Map());
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const drop = (id: string) => setProgress((all) => new Map([...all].filter(([other]) => other !== id)));
    const stop = onTabProgress((progress) => {
      setProgress((all) => new Map([...all, ...progress.map((one) => [one.id, one] as const)]));
      for (const { id } of progress) {
        clearTimeout(timers.get(id));
        timers.set(
          id,
          setTimeout(() => drop(id), silentAfterMs),
        );
      }
    });
    return () => {
      stop();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, []);
  return progress;
}
