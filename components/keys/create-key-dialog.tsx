"use client";

import { useRef } from "react";
import { type FieldErrors, useFormContext } from "react-hook-form";
import { type KeyKind, keyFields, keyRates, scopes } from "#contract/accounts/constants.ts";
import type { ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import { billingUnits, regionNames } from "#contract/catalog-constants.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { SelectField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { answerOf } from "@/lib/browser/action-answer";
import { addKey } from "@/lib/gateway/secret-actions";
import { BudgetFields, MoneyFields, TaskCapFields, TokenRateFields } from "./budget-fields.tsx";
import { limitProblem, taskCapFieldNames } from "./budget-values.ts";
import { CheckList } from "./check-list.tsx";
import { ContentsChoice } from "./contents-choice.tsx";
import { scopeLabel } from "./key-labels.ts";
import { type KeyValues, keyBody, lifetimes, newKeyValues, originsProblem } from "./key-values.ts";
import { moneyFieldNames } from "./money-values.ts";
import { tokenRateNames } from "./token-rates.ts";

interface CreateKeyDialogProps {
  modelIds: string[];
  /** The installation's currency. Undefined if unknown. */
  currency?: string | undefined;
  onCreated: (key: ApiKeyWithSecret) => void;
  onClose: () => void;
}

export const keyFieldNames = [
  ...([
    "name",
    "scopes",
    "models",
    "regions",
    "allowed_origins",
    "networks",
    "requests_per_minute",
    "max_concurrency",
  ] as const),
  ...billingUnits.map((unit) => `monthly_budget.${unit}` as const),
  ...moneyFieldNames,
  ...taskCapFieldNames,
  ...tokenRateNames,
];

/** Creates a key. The dialog stays open while it is created, because the key is shown only once. */
export function CreateKeyDialog({ modelIds, currency, onCreated, onClose }: CreateKeyDialogProps) {
  const t = useWords("keys");
  const { role, may, operator } = useAccess();
  const manages = may("keys:manage");
  // Only people can own personal keys, account keys cannot.
  const kind = role === null ? null : manages ? "service" : "personal";
  const offered = may("contents:read") ? ([...scopes, "contents"] as const) : scopes;
  const { parts, unfold } = useUnfold();

  return (
    <ResourceDialog<KeyValues>
      title={t("createKey")}
      description={t("theKeyIsShownOnly")}
      defaults={{ ...newKeyValues, kind }}
      names={keyFieldNames}
      submitLabel={t("createKey")}
      save={async (values) => {
        const answer = await answerOf(addKey(keyBody(values, Date.now())));
        if (!answer.ok) return answer.error;
        onCreated(answer.data);
        return null;
      }}
      onWrong={unfold}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="name"
            rule={keyFields.name}
            label={t("name")}
            hint={t("forExampleTheProgramThat")}
            missing={t("enterAName")}
          />
          {kind && (
            <Chosen form={form} name="kind">
              {({ value, onChange }) => <KeyKindChoice value={value ?? kind} onChange={onChange} />}
            </Chosen>
          )}
          <Chosen form={form} name="scopes" missing={t("chooseAtLeastOnePermission")}>
            {(field) => (
              <CheckList
                {...field}
                legend={t("permissions")}
                options={offered.map((value) => ({ value, label: scopeLabel(value, t) }))}
                hint={
                  field.value.includes("contents")
                    ? t("readsContents")
                    : operator
                      ? t.rich(
                          "operatorsKey",
                          {},
                          {
                            code: (command) => (
                              <code key="command" className="whitespace-nowrap">
                                {command}
                              </code>
                            ),
                          },
                        )
                      : undefined
                }
              />
            )}
          </Chosen>
          <SelectField
            label={t("expires")}
            className="max-w-56"
            {...form.register("lifetime")}
            options={[...lifetimes].map(([value, { label }]) => [value, t(label)])}
          />
          <KeyLimits modelIds={modelIds} currency={currency} parts={parts} />
        </>
      )}
    </ResourceDialog>
  );
}

/** The folded parts of a key's form, and what unfolds those with errors. */
export function useUnfold() {
  const parts = { limits: useRef<HTMLDetailsElement>(null), budgets: useRef<HTMLDetailsElement>(null) };
  /** Their errors could otherwise neither be seen nor focused. */
  const unfold = (wrong: FieldErrors<KeyValues>) => {
    const limits = [
      ...(["requests_per_minute", "max_concurrency", "allowed_origins", "networks"] as const),
      ...tokenRateNames,
    ];
    if (limits.some((name) => wrong[name]) && parts.limits.current) parts.limits.current.open = true;
    if ((wrong.monthly_budget || wrong.money || wrong.task_budget) && parts.budgets.current)
      parts.budgets.current.open = true;
  };
  return { parts, unfold };
}

interface KeyLimitsProps extends Pick<CreateKeyDialogProps, "currency"> {
  /** Null where the models and regions cannot be changed. */
  modelIds: string[] | null;
  parts: ReturnType<typeof useUnfold>["parts"];
  /** Says what the limits are of, if not of one key. */
  note?: string;
}

/** The folded parts of a form with the fields of a key: its limits and its budgets. */
export function KeyLimits({ modelIds, currency, parts, note }: KeyLimitsProps) {
  const t = useWords("keys");
  const amounts = useWords("amounts");
  const { may, keepsContents } = useAccess();
  const manages = may("keys:manage");
  const form = useFormContext<KeyValues>();
  return (
    <>
      <details ref={parts.limits} className="rounded-control border px-3 py-2">
        <summary className="rounded-control text-table font-medium">
          {t("limitsOfKey", {
            models: modelIds ? "yes" : "no",
            contents: keepsContents === "off" ? "no" : "yes",
          })}
        </summary>
        <div className="mt-3 space-y-4">
          {note && <p className="text-table text-muted">{note}</p>}
          {modelIds && modelIds.length > 0 && (
            <Chosen form={form} name="models">
              {(field) => (
                <CheckList
                  {...field}
                  legend={t("models")}
                  hint={t("ifYouChooseNoneAll")}
                  options={modelIds.map((value) => ({
                    value,
                    label: <code className="text-table">{value}</code>,
                  }))}
                  scrolls
                />
              )}
            </Chosen>
          )}
          {modelIds && (
            <Chosen form={form} name="regions">
              {(field) => (
                <CheckList
                  {...field}
                  legend={t("regions")}
                  hint={t("ifYouChooseNoneAll2")}
                  options={regionNames.map((value) => ({ value, label: value }))}
                />
              )}
            </Chosen>
          )}
          <OriginsField />
          <NetworksField />
          <div className="grid gap-3 phone:grid-cols-2">
            <TextField
              form={form}
              name="requests_per_minute"
              label={t("requestsPerMinute")}
              check={(text) => limitProblem(amounts, text, keyRates.requests_per_minute)}
              inputMode="numeric"
              placeholder={t("accountLimit")}
            />
            <TextField
              form={form}
              name="max_concurrency"
              label={t("concurrentRequests")}
              check={(text) => limitProblem(amounts, text, keyRates.max_concurrency)}
              inputMode="numeric"
              placeholder={t("accountLimit")}
            />
          </div>
          <TokenRateFields none={t("accountLimit")} />
          {keepsContents !== "off" && (
            <Chosen form={form} name="contents">
              {(field) => <ContentsChoice {...field} rule={keepsContents} manages={manages} />}
            </Chosen>
          )}
        </div>
      </details>
      {manages && (
        <details ref={parts.budgets} className="rounded-control border px-3 py-2">
          <summary className="rounded-control text-table font-medium">{t("budgets")}</summary>
          <div className="mt-2 space-y-4">
            <h3 className="text-table font-medium">{t("inMoney")}</h3>
            <MoneyFields />
            <h3 className="text-table font-medium">{t("perTask")}</h3>
            <TaskCapFields currency={currency} />
            <h3 className="text-table font-medium">{t("inUnits")}</h3>
            <BudgetFields />
          </div>
        </details>
      )}
    </>
  );
}

/** The origins of pages that use a key directly, one per line. For a form with the field `allowed_origins`. */
export function OriginsField() {
  const t = useWords("keys");
  return (
    <TextField
      form={useFormContext<{ allowed_origins: string }>()}
      name="allowed_origins"
      label={t("allowedOrigins")}
      hint={t("forKeysUsedInWeb")}
      check={(text) => originsProblem(text, t)}
      rows={2}
      mono
      placeholder="https://app.example.com"
    />
  );
}

/** The networks from which a key may be used, one per line. For a form with the field `networks`. */
export function NetworksField() {
  const t = useWords("keys");
  return (
    <TextField
      form={useFormContext<{ networks: string }>()}
      name="networks"
      label={t("networks")}
      hint={t("addressesOrRangesFromWhich")}
      rows={2}
      mono
      placeholder="203.0.113.0/24"
    />
  );
}

interface KeyKindChoiceProps {
  value: KeyKind;
  onChange: (kind: KeyKind) => void;
}

/** Chooses between a personal key and a service key. */
function KeyKindChoice({ value, onChange }: KeyKindChoiceProps) {
  const t = useWords("keys");
  const { may } = useAccess();
  const manages = may("keys:manage");
  return (
    <RadioGroup
      legend={t("belongsTo")}
      value={value}
      onChange={onChange}
      options={[
        {
          value: "service",
          label: t("theAccountServiceKey"),
          hint: manages ? t("theKeyKeepsWorkingWhen") : t("onlyOwnersAndAdminsCan2"),
          disabled: !manages,
        },
        {
          value: "personal",
          label: t("youPersonalKey"),
          hint: t("theKeyEndsWithYour"),
        },
      ]}
    />
  );
}
