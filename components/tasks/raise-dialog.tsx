"use client";

import { taskLimits, taskRuns } from "#contract/money/budget-constants.ts";
import type { Task, TaskRaise } from "#contract/money/budgets.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import { useWords } from "#words";
import { limitProblem } from "@/components/keys/budget-values";
import { moneyAmount, moneyProblem } from "@/components/keys/money-values";
import { TextField } from "@/components/ui/form/bound-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { useToast } from "@/components/ui/toast";
import { settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { formatMoney } from "@/lib/money";
import { unambiguous } from "@/lib/written-amount";
import type { Words } from "@/messages/words";
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
  const t = useWords("usage");
  const ofUi = useWords("ui");
  const amounts = useWords("amounts");
  const { toast } = useToast();
  const save = (values: Values) => {
    const asked = moneyAmount(values.amount);
    const body: TaskRaise = {
      ...(asked !== null && { amount: asked }),
      ...(values.max_runs.trim() !== "" && { max_runs: Number(values.max_runs) }),
    };
    return settle(act("POST /tasks/{id}/raise", { params: { id: task.id }, body }), (raised) => {
      toast({ tone: "good", title: raisedText(ofUi, raised) });
      onRaised();
    });
  };

  return (
    <ResourceDialog<Values>
      title={t("raiseCap", { value })}
      description={t("newCapApplies", { ended: endedAt ? "yes" : "no" })}
      defaults={proposalFor(task)}
      submitLabel={t("raise")}
      save={save}
      onClose={onClose}
    >
      {(form) => (
        <>
          {amount !== null && (
            <TextField
              form={form}
              name="amount"
              label={t("moneyIn", { currency })}
              required
              hint={t("ofSpent", {
                spent: formatMoney(task.spent, currency),
                amount: formatMoney(amount, currency),
              })}
              check={(text) => amountProblem(t, amounts, text, amount)}
              inputMode="decimal"
            />
          )}
          {maxRuns !== null && (
            <TextField
              form={form}
              name="max_runs"
              label={t("runs")}
              required
              hint={t("runsOfUsed", { runs: String(task.runs), maximum: maxRuns })}
              check={(text) => runsProblem(t, amounts, text, maxRuns)}
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

function amountProblem(
  t: Words<"usage">,
  amounts: Words<"amounts">,
  text: string,
  least: string,
): string | undefined {
  const low = t("enterAtLeast", { least: String(least) });
  const asked = moneyProblem(amounts, text) ? null : moneyAmount(text);
  if (asked !== null) return decimalOf(asked) < decimalOf(least) ? low : undefined;
  return moneyProblem(amounts, text) ?? low;
}

function runsProblem(
  t: Words<"usage">,
  amounts: Words<"amounts">,
  text: string,
  least: number,
): string | undefined {
  const low = t("enterAtLeast", { least: String(least) });
  return text.trim() === "" || Number(text) < least ? low : limitProblem(amounts, text, taskRuns);
}
