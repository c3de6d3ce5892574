"use client";

import { useRef, useState } from "react";
import { type FieldErrors, FormProvider, useForm } from "react-hook-form";
import { billingUnits } from "#contract/catalog-constants.ts";
import type { ConnectionScope } from "#contract/connection-constants.ts";
import type { AuthorizationAsked } from "#contract/connections.ts";
import { BudgetFields, MoneyFields, TaskCapFields } from "@/components/keys/budget-fields";
import { budgetBody, taskCapBody, taskCapFieldNames } from "@/components/keys/budget-values";
import { CheckList } from "@/components/keys/check-list";
import { scopeLabels } from "@/components/keys/key-labels";
import { moneyBody, moneyFieldNames } from "@/components/keys/money-values";
import { Button } from "@/components/ui/button";
import { Chosen } from "@/components/ui/form/bound-fields";
import { SelectField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { SubmitButton } from "@/components/ui/form/submit-button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import { allowConnection } from "@/lib/gateway/secret-actions";
import { type ConsentValues, consentBody, lifetimes, newConsent } from "./consent-values.ts";
import type { ModelChoice } from "./model-choices.ts";

interface ConsentFormProps {
  asked: AuthorizationAsked;
  clientName: string;
  scopes: ConnectionScope[];
  models: ModelChoice[];
  /** The installation's currency. Undefined if unknown. */
  currency: string | undefined;
  deniedUrl: string;
}

const fields = [
  ...(["scopes", "models"] as const),
  ...billingUnits.map((unit) => `monthly_budget.${unit}` as const),
  ...moneyFieldNames,
  ...taskCapFieldNames,
];

/**
 * The form that decides what a client may do and for how long. Afterwards the browser returns to the client.
 */
export function ConsentForm(props: ConsentFormProps) {
  const { asked, clientName, scopes, models, currency, deniedUrl } = props;
  const [isDone, setDone] = useState(false);
  const unitsPart = useRef<HTMLDetailsElement>(null);
  const form = useForm<ConsentValues>({ defaultValues: { ...newConsent, scopes } });
  const { isSubmitting } = form.formState;
  const { failure, send: ask } = useSend({ names: fields, setError: form.setError });
  const which = form.watch("which");
  const spending = form.watch("spending");
  const tasks = form.watch("tasks");

  /** Opens collapsed parts with errors. Their errors could otherwise neither be seen nor focused. */
  const unfold = (wrong: FieldErrors<ConsentValues>) => {
    if (wrong.monthly_budget && unitsPart.current) unitsPart.current.open = true;
  };

  const send = form.handleSubmit(async (values) => {
    const answer = await ask(() => answerOf(allowConnection(consentBody(asked, values, Date.now()))));
    if (!answer.ok) return;
    setDone(true);
    window.location.assign(answer.data.redirect_url);
  }, unfold);

  if (isDone)
    return (
      <p role="status" className="rounded-control bg-good-soft p-3">
        {clientName} is connected. If nothing opens, go back to {clientName} and close this page.
      </p>
    );
  return (
    <FormProvider {...form}>
      <form onSubmit={send} noValidate className="flex flex-col gap-5">
        <Chosen form={form} name="scopes" missing="Choose at least one right.">
          {(field) => (
            <CheckList
              {...field}
              legend="Rights of the client"
              options={scopes.map((value) => ({ value, label: scopeLabels[value] }))}
            />
          )}
        </Chosen>
        <Chosen form={form} name="which">
          {(field) => (
            <RadioGroup
              {...field}
              legend="Models"
              options={[
                { value: "open", label: "All models that need no attestation" },
                { value: "chosen", label: "Only the models that I choose" },
              ]}
            />
          )}
        </Chosen>
        {which === "chosen" && <ModelField models={models} form={form} />}
        <SelectField
          label="Connected"
          className="max-w-56"
          {...form.register("lifetime")}
          options={lifetimes}
        />
        <Chosen
          form={form}
          name="spending"
          check={(value, { monthly_budget: budget, money }) =>
            value === "unlimited" ||
            budgetBody(budget) !== null ||
            moneyBody(money).length > 0 ||
            "Enter at least one limit below, or choose no separate budget."
          }
        >
          {(field) => (
            <RadioGroup
              {...field}
              legend="Budget"
              options={[
                { value: "limited", label: "The amounts that I enter" },
                {
                  value: "unlimited",
                  label: "No separate budget",
                  hint: "Your own budget still applies.",
                },
              ]}
            />
          )}
        </Chosen>
        {spending === "limited" && (
          <>
            <MoneyFields />
            <details ref={unitsPart} className="rounded-control border px-3 py-2">
              <summary className="rounded-control text-table font-medium">Limits by unit</summary>
              <div className="mt-2">
                <BudgetFields />
              </div>
            </details>
          </>
        )}
        <Chosen
          form={form}
          name="tasks"
          check={(value, { task_budget: cap }) =>
            value === "uncapped" ||
            taskCapBody(cap) !== null ||
            "Enter a metadata key below, or choose no cap."
          }
        >
          {(field) => (
            <RadioGroup
              {...field}
              legend="Cap per task"
              options={[
                { value: "uncapped", label: "No cap per task" },
                {
                  value: "capped",
                  label: "Limit each task to the amounts that I enter",
                  hint: "A client in a loop then spends at most one task's limit. The client must name the task in each run.",
                },
              ]}
            />
          )}
        </Chosen>
        {tasks === "capped" && <TaskCapFields currency={currency} />}
        {failure && <ErrorPanel error={failure} />}
        <p className="text-meta text-muted">
          The client never attests or confirms anything for you. You can end the connection at any time under
          Connections.
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={isSubmitting} onClick={() => window.location.assign(deniedUrl)}>
            Deny
          </Button>
          <SubmitButton busy={isSubmitting}>Allow</SubmitButton>
        </div>
      </form>
    </FormProvider>
  );
}

interface ModelFieldProps {
  models: ModelChoice[];
  form: ReturnType<typeof useForm<ConsentValues>>;
}

function ModelField({ models, form }: ModelFieldProps) {
  const barred = models.filter((model) => model.barred !== null);
  return (
    <div className="flex flex-col gap-2">
      <Chosen
        form={form}
        name="models"
        check={(chosen, { which }) => which === "open" || chosen.length > 0 || "Choose at least one model."}
      >
        {(field) => (
          <CheckList
            {...field}
            legend="Chosen models"
            options={models
              .filter((model) => model.barred === null)
              .map(({ id, gated }) => ({
                value: id,
                label: (
                  <>
                    <code className="text-table wrap-anywhere">{id}</code>
                    {gated && <span className="block text-meta text-muted">uses your attestation</span>}
                  </>
                ),
              }))}
            scrolls
          />
        )}
      </Chosen>
      {barred.length > 0 && (
        <details className="text-table">
          <summary className="rounded-control text-muted">Models that cannot be chosen</summary>
          <ul className="mt-1 space-y-1">
            {barred.map((model) => (
              <li key={model.id}>
                <code className="text-table wrap-anywhere">{model.id}</code>: {model.barred}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
