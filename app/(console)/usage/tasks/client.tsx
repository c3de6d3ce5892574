"use client";

import type { List } from "#contract/list.ts";
import { taskLimits } from "#contract/money/budget-constants.ts";
import type { Task } from "#contract/money/budgets.ts";
import { useWords } from "#words";
import { GuideLink } from "@/components/guides/guide-link";
import { TasksTable } from "@/components/tasks/tasks-table";
import { Button, LinkButton } from "@/components/ui/button";
import { FilterBar, FilterSelect } from "@/components/ui/list/filter-bar";
import { ListPage } from "@/components/ui/list/list-page";
import { TextFilter } from "@/components/ui/list/text-filter";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import type { GatewayResult } from "@/lib/gateway/result";
import { taskList } from "@/lib/lists";

interface TasksClientProps {
  tasks: GatewayResult<List<Task>>;
  /** The names of the account and its keys, by id. */
  holders: Readonly<Record<string, string>>;
  connectionIds: readonly string[];
}

/** Each value of a capped metadata key: what it spent, and whether it may continue. */
export function TasksClient({ tasks, holders, connectionIds }: TasksClientProps) {
  const t = useWords("usage");
  return (
    <ListPage
      title={t("tasks")}
      description={t("whatEachCappedTaskSpent")}
      list={taskList}
      answer={tasks}
      notOffered={<NotOffered what={t("capsPerTask")}>{t("aBudgetOfAKey")}</NotOffered>}
      filters={({ view, active, change, clear }) => (
        <FilterBar active={active} onClear={clear}>
          <TextFilter
            key={view.value}
            label={t("task")}
            placeholder={t("taskInFull")}
            value={view.value}
            maxLength={taskLimits.valueLength}
            onChange={(value) => change({ value })}
          />
          <FilterSelect
            label={t("capOf")}
            any={t("anyCap")}
            value={view.holder}
            options={Object.entries(holders).map(([value, label]) => ({ value, label }))}
            onChange={(holder) => change({ holder })}
          />
        </FilterBar>
      )}
      isFilled
      empty={({ active, clear }) =>
        active > 0 ? (
          <EmptyState
            title={t("noTasksMatchTheseFilters")}
            body={t("enterTheWholeValue", { days: taskLimits.keptDays })}
            action={<Button onClick={clear}>{t("showAllTasks")}</Button>}
          />
        ) : (
          <EmptyState
            drawing="gate"
            title={t("noTasksYet")}
            body={
              <>
                {t("aCapPerTask")} <GuideLink to="caps-per-task">{t("howCapsWork")}</GuideLink>
              </>
            }
            action={<LinkButton href="/keys">{t("openKeys")}</LinkButton>}
          />
        )
      }
    >
      {(rows) => <TasksTable tasks={rows} connectionIds={connectionIds} />}
    </ListPage>
  );
}
