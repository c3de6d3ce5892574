import { useEffect, useState } from "react";
import { onTold, type ToldProgress } from "@/lib/browser/resumable/tabs";

/** A tab that says nothing for this long has ended, or has sent all. */
const silentAfterMs = 4_000;

/** How far the uploads of other tabs are, by upload. */
export function useToldProgress(): ReadonlyMap<string, ToldProgress> {
  const [told, setTold] = useState<ReadonlyMap<string, ToldProgress>>(new Map());
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const drop = (id: string) => setTold((all) => new Map([...all].filter(([other]) => other !== id)));
    const stop = onTold((progress) => {
      setTold((all) => new Map([...all, ...progress.map((one) => [one.id, one] as const)]));
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
  return told;
}
