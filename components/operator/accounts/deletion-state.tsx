import type { DeletionRecord } from "#contract/operator/account-state.ts";
import { Time } from "@/components/ui/time";

/** The state of a deletion in words, with its time. */
export function DeletionState({ record }: { record: DeletionRecord }) {
  const { state, due_at: dueAt, started_at: startedAt, finished_at: finishedAt } = record;
  if (state === "finished" && finishedAt)
    return (
      <>
        Deleted <Time value={finishedAt} mode="absolute" />
      </>
    );
  if (state === "scheduled")
    return (
      <>
        Will be deleted <Time value={dueAt} mode="absolute" />
      </>
    );
  return startedAt ? (
    <>
      Being deleted since <Time value={startedAt} mode="absolute" />
    </>
  ) : (
    "Deletion begins within half a minute"
  );
}
