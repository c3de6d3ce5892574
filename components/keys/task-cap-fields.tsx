import { useId } from "react";
import type { FieldErrors, UseFormRegisterReturn } from "react-hook-form";
import { metadataLimits } from "#contract/metadata.ts";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { type TaskCapValues, type taskCapFieldNames, taskCapProblems } from "./task-cap-values.ts";

interface FormWithCap {
  task_budget: TaskCapValues;
}

interface TaskCapFieldsProps {
  /** For a form with the field `task_budget`. */
  register: (name: (typeof taskCapFieldNames)[number], options: Rule) => UseFormRegisterReturn;
  errors: FieldErrors<TaskCapValues> | undefined;
  /** The installation's currency. Undefined if unknown. */
  currency?: string | undefined;
}

interface Rule {
  validate: (text: string, form: FormWithCap) => string | true;
}

const ruleOf = (name: keyof TaskCapValues): Rule => ({
  validate: (text, { task_budget }) => taskCapProblems[name](text, task_budget) ?? true,
});
const rules = {
  metadata_key: ruleOf("metadata_key"),
  amount: ruleOf("amount"),
  max_runs: ruleOf("max_runs"),
};

/** A metadata key, and how much money and how many runs each of its values may use. */
export function TaskCapFields({ register, errors, currency }: TaskCapFieldsProps) {
  const noteId = useId();
  return (
    <fieldset aria-describedby={noteId} className="min-w-0">
      <legend className="sr-only">Cap per task</legend>
      <p id={noteId} className="mb-3 text-meta text-muted">
        Stops an agent in a loop. Each value of a metadata key is a task with its own limit. Runs that do not
        send the key are rejected.
      </p>
      <div className="grid gap-3 phone:grid-cols-2">
        <Field
          label="Metadata key"
          hint="For example “session”. Leave the field empty for no cap."
          error={errors?.metadata_key?.message}
          className="phone:col-span-2 phone:max-w-[50%]"
        >
          {(aria) => (
            <Input
              {...aria}
              {...register("task_budget.metadata_key", rules.metadata_key)}
              maxLength={metadataLimits.keyLength}
              placeholder="no cap"
              autoComplete="off"
              spellCheck={false}
              className="font-mono placeholder:font-sans"
            />
          )}
        </Field>
        <Field
          label={currency ? `Money per task, in ${currency}` : "Money per task"}
          error={errors?.amount?.message}
        >
          {(aria) => (
            <Input
              {...aria}
              {...register("task_budget.amount", rules.amount)}
              inputMode="decimal"
              placeholder="no limit"
              autoComplete="off"
            />
          )}
        </Field>
        <Field label="Runs per task" error={errors?.max_runs?.message}>
          {(aria) => (
            <Input
              {...aria}
              {...register("task_budget.max_runs", rules.max_runs)}
              inputMode="numeric"
              placeholder="no limit"
              autoComplete="off"
            />
          )}
        </Field>
      </div>
    </fieldset>
  );
}
