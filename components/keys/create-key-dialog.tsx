"use client";

import { useRef, useState } from "react";
import { Controller, type FieldErrors, type UseFormRegisterReturn, useForm } from "react-hook-form";
import { type KeyKind, keyFields, keyRates, scopes } from "#contract/accounts/constants.ts";
import type { ApiKeyCreate, ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import { billingUnits, regionNames } from "#contract/catalog-constants.ts";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { FormActions, FormDialog } from "@/components/ui/form/form-dialog";

import { Input, Select, Textarea } from "@/components/ui/form/input";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { TextField } from "@/components/ui/form/resource-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import type { GatewayFailure } from "@/lib/gateway/result";
import { addKey } from "@/lib/gateway/secret-actions";
import { BudgetFields, MoneyFields, TaskCapFields } from "./budget-fields.tsx";
import { limitProblem, taskCapFieldNames } from "./budget-values.ts";
import { CheckList } from "./check-list.tsx";
import { scopeLabels } from "./key-labels.ts";
import { type KeyValues, keyBody, lifetimes, newKeyValues, originsProblem } from "./key-values.ts";
import { moneyFieldNames } from "./money-values.ts";

interface CreateKeyDialogProps {
  open: boolean;
  modelIds: string[];
  /** The installation's currency. Undefined if unknown. */
  currency?: string | undefined;
  onCreated: (key: ApiKeyWithSecret) => void;
  onClose: () => void;
}

export function CreateKeyDialog({ open, modelIds, currency, onCreated, onClose }: CreateKeyDialogProps) {
  const [busy, setBusy] = useState(false);
  return (
    <FormDialog
      open={open}
      busy={busy}
      onClose={onClose}
      title="Create key"
      description="The key is shown only once, after you create it."
    >
      <KeyForm
        modelIds={modelIds}
        currency={currency}
        onCancel={onClose}
        submit={async (body) => {
          setBusy(true);
          const answer = await answerOf(addKey(body));
          setBusy(false);
          if (!answer.ok) return answer.error;
          onCreated(answer.data);
          return null;
        }}
      />
    </FormDialog>
  );
}

interface KeyFormProps extends Pick<CreateKeyDialogProps, "modelIds" | "currency"> {
  /** Resolves to the failure to show, or null on success. */
  submit: (body: ApiKeyCreate) => Promise<GatewayFailure | null>;
  onCancel: () => void;
}

const fields = [
  ...([
    "name",
    "scopes",
    "models",
    "regions",
    "allowed_origins",
    "requests_per_minute",
    "max_concurrency",
  ] as const),
  ...billingUnits.map((unit) => `monthly_budget.${unit}` as const),
  ...moneyFieldNames,
  ...taskCapFieldNames,
];

function KeyForm({ modelIds, currency, submit, onCancel }: KeyFormProps) {
  const { role, may } = useAccess();
  const manages = may("keys:manage");
  // Only people can own personal keys, account keys cannot.
  const kind = role === null ? null : manages ? "service" : "personal";
  const form = useForm<KeyValues>({ defaultValues: { ...newKeyValues, kind } });
  const { errors, isSubmitting } = form.formState;
  const { failure, attempt } = useSend({ names: fields, setError: form.setError });
  const limitsPart = useRef<HTMLDetailsElement>(null);
  const budgetPart = useRef<HTMLDetailsElement>(null);

  /** Opens collapsed parts with errors. Their errors could otherwise neither be seen nor focused. */
  const unfold = (wrong: FieldErrors<KeyValues>) => {
    if ((wrong.requests_per_minute || wrong.max_concurrency || wrong.allowed_origins) && limitsPart.current)
      limitsPart.current.open = true;
    if ((wrong.monthly_budget || wrong.money || wrong.task_budget) && budgetPart.current)
      budgetPart.current.open = true;
  };

  const send = form.handleSubmit(async (values) => {
    await attempt(() => submit(keyBody(values, Date.now())));
  }, unfold);

  return (
    <form onSubmit={send} noValidate className="space-y-4">
      <TextField
        form={form}
        name="name"
        rule={keyFields.name}
        label="Name"
        hint="For example, the program that will use it: “nightly renders”."
        missing="Enter a name."
      />
      {kind && (
        <Controller
          control={form.control}
          name="kind"
          render={({ field }) => <KeyKindChoice value={field.value ?? kind} onChange={field.onChange} />}
        />
      )}
      <Controller
        control={form.control}
        name="scopes"
        rules={{ validate: (chosen) => chosen.length > 0 || "Choose at least one permission." }}
        render={({ field }) => (
          <CheckList
            legend="Permissions"
            options={scopes.map((value) => ({ value, label: scopeLabels[value] }))}
            value={field.value}
            onChange={field.onChange}
            error={errors.scopes?.message}
          />
        )}
      />
      <Field label="Expires" className="max-w-56">
        {(aria) => (
          <Select {...aria} {...form.register("lifetime")}>
            {[...lifetimes].map(([value, { label }]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <details ref={limitsPart} className="rounded-control border px-3 py-2">
        <summary className="rounded-control text-table font-medium">
          Limits: models, regions, pages, rate
        </summary>
        <div className="mt-3 space-y-4">
          {modelIds.length > 0 && (
            <Controller
              control={form.control}
              name="models"
              render={({ field }) => (
                <CheckList
                  legend="Models"
                  hint="If you choose none, all models are allowed."
                  options={modelIds.map((value) => ({
                    value,
                    label: <code className="text-table">{value}</code>,
                  }))}
                  value={field.value}
                  onChange={field.onChange}
                  error={errors.models?.message}
                  scrolls
                />
              )}
            />
          )}
          <Controller
            control={form.control}
            name="regions"
            render={({ field }) => (
              <CheckList
                legend="Regions"
                hint="If you choose none, all regions are allowed."
                options={regionNames.map((value) => ({ value, label: value }))}
                value={field.value}
                onChange={field.onChange}
                error={errors.regions?.message}
              />
            )}
          />
          <OriginsField
            input={form.register("allowed_origins", { validate: (text) => originsProblem(text) ?? true })}
            error={errors.allowed_origins?.message}
          />
          <div className="grid gap-3 phone:grid-cols-2">
            <Field label="Requests per minute" error={errors.requests_per_minute?.message}>
              {(aria) => (
                <Input
                  {...aria}
                  {...form.register("requests_per_minute", {
                    validate: (text) => limitProblem(text, keyRates.requests_per_minute) ?? true,
                  })}
                  inputMode="numeric"
                  placeholder="account limit"
                />
              )}
            </Field>
            <Field label="Concurrent requests" error={errors.max_concurrency?.message}>
              {(aria) => (
                <Input
                  {...aria}
                  {...form.register("max_concurrency", {
                    validate: (text) => limitProblem(text, keyRates.max_concurrency) ?? true,
                  })}
                  inputMode="numeric"
                  placeholder="account limit"
                />
              )}
            </Field>
          </div>
        </div>
      </details>
      {manages && (
        <details ref={budgetPart} className="rounded-control border px-3 py-2">
          <summary className="rounded-control text-table font-medium">Budgets</summary>
          <div className="mt-2 space-y-4">
            <h3 className="text-table font-medium">In money</h3>
            <MoneyFields register={form.register} errors={errors.money} />
            <h3 className="text-table font-medium">Per task</h3>
            <TaskCapFields register={form.register} errors={errors.task_budget} currency={currency} />
            <h3 className="text-table font-medium">In units</h3>
            <BudgetFields register={form.register} errors={errors.monthly_budget} />
          </div>
        </details>
      )}
      {failure && <ErrorPanel error={failure} />}
      <FormActions>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          Create key
        </Button>
      </FormActions>
    </form>
  );
}

interface OriginsFieldProps {
  input: UseFormRegisterReturn;
  error?: string | undefined;
}

/** The origins of pages that use a key directly, one per line. */
export function OriginsField({ input, error }: OriginsFieldProps) {
  return (
    <Field
      label="Allowed origins"
      hint="For keys used in web pages: the origins of the pages, one per line. Anyone who opens such a page can read the key, so give it few models, a low rate and a budget."
      error={error}
    >
      {(aria) => (
        <Textarea
          {...aria}
          {...input}
          rows={2}
          className="font-mono"
          placeholder="https://app.example.com"
          spellCheck={false}
        />
      )}
    </Field>
  );
}

interface KeyKindChoiceProps {
  value: KeyKind;
  onChange: (kind: KeyKind) => void;
}

/** Chooses between a personal key and a service key. */
function KeyKindChoice({ value, onChange }: KeyKindChoiceProps) {
  const { may } = useAccess();
  const manages = may("keys:manage");
  return (
    <RadioGroup
      legend="Belongs to"
      value={value}
      onChange={onChange}
      options={[
        {
          value: "service",
          label: "The account (service key)",
          hint: manages
            ? "The key keeps working when people leave. Gated operations use your attestations."
            : "Only owners and admins can create service keys.",
          disabled: !manages,
        },
        {
          value: "personal",
          label: "You (personal key)",
          hint: "The key ends with your membership, and never has more rights than you.",
        },
      ]}
    />
  );
}
