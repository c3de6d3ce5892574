"use client";

import { useRef, useState } from "react";
import { type FieldErrors, FormProvider, useForm } from "react-hook-form";
import { billingUnits } from "#contract/catalog-constants.ts";
import type { ConnectionScope } from "#contract/connection-constants.ts";
import type { AuthorizationAsked } from "#contract/connections.ts";
import { useWords } from "#words";
import { BudgetFields, MoneyFields, TaskCapFields } from "@/components/keys/budget-fields";
import { budgetBody, taskCapBody, taskCapFieldNames } from "@/components/keys/budget-values";
import { CheckList } from "@/components/keys/check-list";
import { scopeLabel } from "@/components/keys/key-labels";
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
  const t = useWords("connections");
  const keyWords = useWords("keys");
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
        {t("isConnected", { clientName })}
      </p>
    );
  return (
    <FormProvider {...form}>
      <form onSubmit={send} noValidate className="flex flex-col gap-5">
        <Chosen form={form} name="scopes" missing={t("chooseAtLeastOneRight")}>
          {(field) => (
            <CheckList
              {...field}
              legend={t("rightsOfTheClient")}
              options={scopes.map((value) => ({ value, label: scopeLabel(value, keyWords) }))}
            />
          )}
        </Chosen>
        <Chosen form={form} name="which">
          {(field) => (
            <RadioGroup
              {...field}
              legend={t("models")}
              options={[
                { value: "open", label: t("allModelsThatNeedNo") },
                { value: "chosen", label: t("onlyTheModelsThatI") },
              ]}
            />
          )}
        </Chosen>
        {which === "chosen" && <ModelField models={models} form={form} />}
        <SelectField
          label={t("connected")}
          className="max-w-56"
          {...form.register("lifetime")}
          options={lifetimes.map((days) => [days, t(`days${days}`)])}
        />
        <Chosen
          form={form}
          name="spending"
          check={(value, { monthly_budget: budget, money }) =>
            value === "unlimited" ||
            budgetBody(budget) !== null ||
            moneyBody(money).length > 0 ||
            t("limitMissing")
          }
        >
          {(field) => (
            <RadioGroup
              {...field}
              legend={t("budget")}
              options={[
                { value: "limited", label: t("theAmountsThatIEnter") },
                {
                  value: "unlimited",
                  label: t("noSeparateBudget"),
                  hint: t("yourOwnBudgetStillApplies"),
                },
              ]}
            />
          )}
        </Chosen>
        {spending === "limited" && (
          <>
            <MoneyFields />
            <details ref={unitsPart} className="rounded-control border px-3 py-2">
              <summary className="rounded-control text-table font-medium">{t("limitsByUnit")}</summary>
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
            value === "uncapped" || taskCapBody(cap) !== null || t("metadataKeyMissing")
          }
        >
          {(field) => (
            <RadioGroup
              {...field}
              legend={t("capPerTask")}
              options={[
                { value: "uncapped", label: t("noCapPerTask") },
                {
                  value: "capped",
                  label: t("limitEachTaskToThe"),
                  hint: t("aClientInALoop"),
                },
              ]}
            />
          )}
        </Chosen>
        {tasks === "capped" && <TaskCapFields currency={currency} />}
        {failure && <ErrorPanel error={failure} />}
        <p className="text-meta text-muted">{t("theClientNeverAttestsOr")}</p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={isSubmitting} onClick={() => window.location.assign(deniedUrl)}>
            {t("deny")}
          </Button>
          <SubmitButton busy={isSubmitting}>{t("allow")}</SubmitButton>
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
  const t = useWords("connections");
  const barred = models.filter((model) => model.barred !== null);
  return (
    <div className="flex flex-col gap-2">
      <Chosen
        form={form}
        name="models"
        check={(chosen, { which }) => which === "open" || chosen.length > 0 || t("chooseAtLeastOneModel")}
      >
        {(field) => (
          <CheckList
            {...field}
            legend={t("chosenModels")}
            options={models
              .filter((model) => model.barred === null)
              .map(({ id, gated }) => ({
                value: id,
                label: (
                  <>
                    <code className="text-table wrap-anywhere">{id}</code>
                    {gated && <span className="block text-meta text-muted">{t("usesYourAttestation")}</span>}
                  </>
                ),
              }))}
            scrolls
          />
        )}
      </Chosen>
      {barred.length > 0 && (
        <details className="text-table">
          <summary className="rounded-control text-muted">{t("modelsThatCannotBeChosen")}</summary>
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
