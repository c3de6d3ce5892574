"use client";

import type { List } from "#contract/list.ts";
import { taskLimits } from "#contract/money/budget-constants.ts";
import type { Task } from "#contract/money/budgets.ts";
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
  return (
    <ListPage
      title="Tasks"
      description="What each capped task spent, and where it stops."
      list={taskList}
      answer={tasks}
      notOffered={
        <NotOffered what="caps per task">A budget of a key limits all its tasks together.</NotOffered>
      }
      filters={({ view, active, change, clear }) => (
        <FilterBar active={active} onClear={clear}>
          <TextFilter
            key={view.value}
            label="Task"
            placeholder="Task, in full"
            value={view.value}
            maxLength={taskLimits.valueLength}
            onChange={(value) => change({ value })}
          />
          <FilterSelect
            label="Cap of"
            any="Any cap"
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
            title="No tasks match these filters"
            body={`Enter the whole value, or show all. A task is forgotten ${taskLimits.keptDays} days after its last run.`}
            action={<Button onClick={clear}>Show all tasks</Button>}
          />
        ) : (
          <EmptyState
            drawing="gate"
            title="No tasks yet"
            body={
              <>
                A cap per task stops an agent in a loop: each value of a metadata key, such as a session, has
                its own limit. Set one on a key, a connection or the account.{" "}
                <GuideLink to="caps-per-task">How caps work</GuideLink>
              </>
            }
            action={<LinkButton href="/keys">Open keys</LinkButton>}
          />
        )
      }
    >
      {(rows) => <TasksTable tasks={rows} connectionIds={connectionIds} />}
    </ListPage>
  );
}
