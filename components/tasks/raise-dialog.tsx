"use client";

import { taskLimits, taskRuns } from "#contract/money/budget-constants.ts";
import type { Task, TaskRaise } from "#contract/money/budgets.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import { limitProblem } from "@/components/keys/budget-values";
import { moneyAmount, moneyProblem } from "@/components/keys/money-values";
import { TextField } from "@/components/ui/form/bound-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { useToast } from "@/components/ui/toast";
import { settle } from "@/lib/browser/action-answer";
import { formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { formatMoney } from "@/lib/money";
import { unambiguous } from "@/lib/written-amount";
import { raisedText } from "./task-look.ts";

type Values = Record<"amount" | "max_runs", string>;

interface RaiseDialogProps {
  task: Task;
  onRaised: () => void;
  onClose: () => void;
}

/** Sets higher limits for one task, and opens it again if it was ended. */
export function RaiseDialog({ task, onRaised, onClose }: RaiseDialogProps) {
  const { value, amount, currency, max_runs: maxRuns, ended_at: endedAt } = task;
  const { toast } = useToast();
  const save = (values: Values) => {
    const asked = moneyAmount(values.amount);
    const body: TaskRaise = {
      ...(asked !== null && { amount: asked }),
      ...(values.max_runs.trim() !== "" && { max_runs: Number(values.max_runs) }),
    };
    return settle(act("POST /tasks/{id}/raise", { params: { id: task.id }, body }), (raised) => {
      toast({ tone: "good", title: raisedText(raised) });
      onRaised();
    });
  };

  return (
    <ResourceDialog<Values>
      title={`Raise “${value}”`}
      description={`${endedAt ? "This opens the ended task again. " : ""}The new cap applies to this task only, and includes its earlier runs.`}
      defaults={proposalFor(task)}
      submitLabel="Raise"
      save={save}
      onClose={onClose}
    >
      {(form) => (
        <>
          {amount !== null && (
            <TextField
              form={form}
              name="amount"
              label={`Money, in ${currency}`}
              required
              hint={`${formatMoney(task.spent, currency)} of ${formatMoney(amount, currency)} spent`}
              check={(text) => amountProblem(text, amount)}
              inputMode="decimal"
            />
          )}
          {maxRuns !== null && (
            <TextField
              form={form}
              name="max_runs"
              label="Runs"
              required
              hint={`${task.runs} of ${formatCount(maxRuns, "run")} used`}
              check={(text) => runsProblem(text, maxRuns)}
              inputMode="numeric"
            />
          )}
        </>
      )}
    </ResourceDialog>
  );
}

/** Proposes twice the limits, like the button of a notice. For an ended task, proposes its current limits. */
function proposalFor({ amount, max_runs, ended_at }: Task): Values {
  const times = ended_at === null ? 2 : 1;
  return {
    amount: amount === null ? "" : unambiguous(decimalText(BigInt(times) * decimalOf(amount))),
    max_runs: max_runs === null ? "" : String(Math.min(times * max_runs, taskLimits.maxRuns)),
  };
}

function amountProblem(text: string, least: string): string | undefined {
  const low = `Enter at least ${least}. This form can only raise a cap.`;
  const asked = moneyProblem(text) ? null : moneyAmount(text);
  if (asked !== null) return decimalOf(asked) < decimalOf(least) ? low : undefined;
  return moneyProblem(text) ?? low;
}

function runsProblem(text: string, least: number): string | undefined {
  const low = `Enter at least ${least}. This form can only raise a cap.`;
  return text.trim() === "" || Number(text) < least ? low : limitProblem(text, taskRuns);
}
