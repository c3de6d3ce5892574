import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { List } from "#contract/list.ts";
import type { Output } from "#contract/outputs.ts";
import { outputsOfRun } from "./outputs-of-run.ts";

type Options = Pick<Parameters<typeof useQuery<List<Output>>>[0], "refetchInterval">;

const never = () => () => {};

/**
 * The stored and kept files of a run. A part of the page that is hydrated late shows them only after
 * hydration: another part may have loaded them already, but the server's HTML does not contain them.
 */
export function useOutputsOfRun(runId: string, options: Options = {}) {
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const { data, error, refetch } = useQuery({ ...outputsOfRun(runId), ...options });
  return isAlive ? { data, error, refetch } : { data: undefined, error: null, refetch };
}
