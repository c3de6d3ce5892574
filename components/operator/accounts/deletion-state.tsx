import type { DeletionRecord } from "#contract/operator/account-state.ts";
import { useWords } from "#words";
import { Time } from "@/components/ui/time";

/** The state of a deletion in words, with its time. */
export function DeletionState({ record }: { record: DeletionRecord }) {
  const t = useWords("operatorAccounts");
  const { state, due_at: dueAt, started_at: startedAt, finished_at: finishedAt } = record;
  const time = (value: string) => ({ time: () => <Time key="time" value={value} mode="absolute" /> });
  if (state === "finished" && finishedAt) return t.rich("deletedAt", {}, time(finishedAt));
  if (state === "scheduled") return t.rich("willBeDeletedAt", {}, time(dueAt));
  return startedAt ? t.rich("beingDeletedSince", {}, time(startedAt)) : t("deletionBegins");
}
