"use client";

import { useForm } from "react-hook-form";
import { taskLimits, taskRuns } from "#contract/money/budget-constants.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { Task, TaskRaise } from "#contract/money/tasks.ts";
import { limitProblem } from "@/components/keys/budget-values";
import { moneyAmount, moneyProblem } from "@/components/keys/money-values";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { Input } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { formatMoney } from "@/lib/money";
import { unambiguous } from "@/lib/written-amount";
import { raisedText } from "./task-look.ts";

const names = ["amount", "max_runs"] as const;

interface RaiseDialogProps {
  task: Task;
  onRaised: () => void;
  onClose: () => void;
}

/** Sets higher limits for one task, and opens it again if it was ended. */
export function RaiseDialog({ task, onRaised, onClose }: RaiseDialogProps) {
  const { value, amount, currency, max_runs: maxRuns, ended_at: endedAt } = task;
  const { toast } = useToast();
  const form = useForm({ defaultValues: proposalFor(task) });
  const { errors, isSubmitting } = form.formState;
  const { failure, send: ask } = useSend({ names, setError: form.setError });

  const send = form.handleSubmit(async (values) => {
    const asked = moneyAmount(values.amount);
    const body: TaskRaise = {
      ...(asked !== null && { amount: asked }),
      ...(values.max_runs.trim() !== "" && { max_runs: Number(values.max_runs) }),
    };
    const answer = await ask(() =>
      answerOf(act("POST /tasks/{id}/raise", { params: { id: task.id }, body })),
    );
    if (!answer.ok) return;
    toast({ tone: "good", title: raisedText(answer.data) });
    onRaised();
  });

  return (
    <FormDialog
      open
      busy={isSubmitting}
      onClose={onClose}
      title={`Raise “${value}”`}
      description={`${endedAt ? "This opens the ended task again. " : ""}The new cap is for this task only, and counts from its first run.`}
    >
      <form onSubmit={send} noValidate className="space-y-4">
        {amount !== null && (
          <Field
            label={`Money, in ${currency}`}
            required
            hint={`${formatMoney(task.spent, currency)} of ${formatMoney(amount, currency)} spent`}
            error={errors.amount?.message}
          >
            {(aria) => (
              <Input
                {...aria}
                {...form.register("amount", { validate: (text) => amountProblem(text, amount) ?? true })}
                inputMode="decimal"
                autoComplete="off"
              />
            )}
          </Field>
        )}
        {maxRuns !== null && (
          <Field
            label="Runs"
            required
            hint={`${task.runs} of ${formatCount(maxRuns, "run")} used`}
            error={errors.max_runs?.message}
          >
            {(aria) => (
              <Input
                {...aria}
                {...form.register("max_runs", { validate: (text) => runsProblem(text, maxRuns) ?? true })}
                inputMode="numeric"
                autoComplete="off"
              />
            )}
          </Field>
        )}
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Raise
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}

/** Twice the limits, as the button of a notice has them; those of an ended task stay. */
function proposalFor({ amount, max_runs, ended_at }: Task): Record<(typeof names)[number], string> {
  const times = ended_at === null ? 2 : 1;
  return {
    amount: amount === null ? "" : unambiguous(decimalText(BigInt(times) * decimalOf(amount))),
    max_runs: max_runs === null ? "" : String(Math.min(times * max_runs, taskLimits.maxRuns)),
  };
}

function amountProblem(text: string, least: string): string | undefined {
  const low = `Enter at least ${least}: a cap is only raised here.`;
  const asked = moneyProblem(text) ? null : moneyAmount(text);
  if (asked !== null) return decimalOf(asked) < decimalOf(least) ? low : undefined;
  return moneyProblem(text) ?? low;
}

function runsProblem(text: string, least: number): string | undefined {
  const low = `Enter at least ${least}: a cap is only raised here.`;
  return text.trim() === "" || Number(text) < least ? low : limitProblem(text, taskRuns);
}
