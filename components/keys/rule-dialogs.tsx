"use client";

import { useQuery } from "@tanstack/react-query";
import type { UseFormReturn } from "react-hook-form";
import { keyFields, scopes } from "#contract/accounts/constants.ts";
import { keyRuleFields } from "#contract/key-rule-constants.ts";
import type { KeyRule, KeyRuleCreate, KeyRuleUpdate, ShortKey } from "#contract/key-rules.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, Dialog } from "@/components/ui/dialog";
import { Chosen, NumberField, TextField } from "@/components/ui/form/bound-fields";
import { Checkbox } from "@/components/ui/form/checkbox";
import { requiredIn } from "@/components/ui/form/field";
import { SelectField } from "@/components/ui/form/input-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf, settle } from "@/lib/browser/action-answer";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { act } from "@/lib/gateway/act";
import { queryKeys } from "@/lib/query-keys";
import { budgetBody, budgetValues, taskCapBody, taskCapValues } from "./budget-values.ts";
import { CheckList } from "./check-list.tsx";
import { KeyLimits, keyFieldNames, useUnfold } from "./create-key-dialog.tsx";
import { claimsIn, type Platform, platforms } from "./exchange-lines.ts";
import { scopeLabel } from "./key-labels.ts";
import { type KeyValues, keyBody, linesOf, newKeyValues } from "./key-values.ts";
import { moneyBody, moneyValues } from "./money-values.ts";
import { tokenRateBody, tokenRateValues } from "./token-rates.ts";

type RuleQuestion = { about: "create" } | { about: "edit" | "delete" | "keys"; rule: KeyRule };

interface RuleDialogsProps {
  question: RuleQuestion;
  audience: string;
  serviceKeys: readonly { id: string; name: string }[];
  modelIds: string[];
  onClose: () => void;
  onChanged: () => void;
}

/** Every dialog about a rule for short keys. */
export function RuleDialogs({ question, onClose, onChanged, ...rest }: RuleDialogsProps) {
  const t = useWords("keys");
  const { toast } = useToast();
  const { busy, failure, send } = useSend();
  if (question.about === "create") return <CreateRule {...rest} onClose={onClose} onChanged={onChanged} />;
  const { rule } = question;
  if (question.about === "edit")
    return <EditRule rule={rule} audience={rest.audience} onClose={onClose} onChanged={onChanged} />;
  if (question.about === "keys") return <RuleKeys rule={rule} onClose={onChanged} />;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("deleteName", { name: rule.name })}
      body={t("itsKeysStop", { count: rule.live_keys })}
      confirmLabel={t("deleteRule")}
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={async () => {
        const answer = await send(() => answerOf(act("DELETE /key_rules/{id}", { params: { id: rule.id } })));
        if (!answer.ok) return;
        toast({ title: t("nameDeleted", { name: rule.name }) });
        onChanged();
      }}
    />
  );
}

/** The newest keys that workloads got by a rule. */
function RuleKeys({ rule, onClose }: { rule: KeyRule; onClose: () => void }) {
  const t = useWords("keys");
  const { may } = useAccess();
  const { busy, failure, send } = useSend();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.shortKeys(rule.id),
    queryFn: ({ signal }) =>
      fetchRoute("GET /key_rules/{id}/keys", { params: { id: rule.id }, query: {}, signal }),
  });
  const unread = failureBehind(error);
  const end = async ({ id }: ShortKey) => {
    const params = { id: rule.id, key_id: id };
    const answer = await send(() => answerOf(act("DELETE /key_rules/{id}/keys/{key_id}", { params })));
    if (answer.ok) await refetch();
  };
  const columns: (Column<ShortKey> | false)[] = [
    {
      head: t("workload"),
      cellClass: "min-w-40 wrap-anywhere",
      cell: ({ subject }) => <code>{subject}</code>,
    },
    { head: t("gotIt"), cell: ({ created_at }) => <Time value={created_at} /> },
    { head: t("ends"), cell: ({ expires_at, ended_at }) => <Time value={ended_at ?? expires_at} /> },
    may("key_rules:write") && {
      head: actionsHead,
      cell: (key) =>
        key.ended_at === null &&
        Date.parse(key.expires_at) > Date.now() && (
          <Button size="sm" disabled={busy} onClick={() => void end(key)}>
            {t.rich(
              "endNow",
              { subject: key.subject },
              {
                hidden: (text) => (
                  <span key="subject" className="sr-only">
                    {text}
                  </span>
                ),
              },
            )}
          </Button>
        ),
    },
  ];
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => !open && onClose()}
      title={t("keysOfName", { name: rule.name })}
      description={t("theNewest20EachIs")}
    >
      {unread ? (
        <ErrorPanel error={unread} />
      ) : !data ? (
        <Skeleton className="h-24" />
      ) : data.data.length === 0 ? (
        <p className="text-muted">{t("noJobHasExchangedA")}</p>
      ) : (
        <RowsTable label={t("shortKeys")} rows={data.data} columns={columns} />
      )}
      {failure && <ErrorPanel error={failure} />}
    </Dialog>
  );
}

interface RuleValues extends KeyValues {
  platform: Platform;
  issuer: string;
  claims: string;
  audience: string;
  single_use: boolean;
  lifetime_seconds: string;
  /** Empty: the person. */
  acts_as: string;
}

const names = [
  ...(["issuer", "claims", "audience", "lifetime_seconds", "acts_as"] as const),
  ...keyFieldNames,
];

type CreateRuleProps = Omit<RuleDialogsProps, "question">;

function CreateRule({ audience, serviceKeys, modelIds, onClose, onChanged }: CreateRuleProps) {
  const t = useWords("keys");
  const { toast } = useToast();
  const { parts, unfold } = useUnfold();
  const first = platforms.github;
  return (
    <ResourceDialog<RuleValues>
      title={t("addRule")}
      description={t("whichTokensGetAShort")}
      defaults={{
        ...newKeyValues,
        ...{ scopes: ["inference"], platform: "github", issuer: first.issuer, claims: first.claims },
        ...{ audience: "", single_use: first.single_use, lifetime_seconds: "3600", acts_as: "" },
      }}
      names={names}
      submitLabel={t("addRule")}
      onWrong={unfold}
      save={(values) => {
        const { kind, expires_at, ...key } = keyBody({ ...values, kind: null }, Date.now());
        return settle(
          act("POST /key_rules", {
            body: {
              ...key,
              issuer: values.issuer.trim(),
              claims: claimsIn(values.claims) ?? {},
              ...(values.audience.trim() !== "" && { audience: values.audience.trim() }),
              single_use: values.single_use,
              ...(values.lifetime_seconds !== "" && { lifetime_seconds: Number(values.lifetime_seconds) }),
              ...(values.acts_as !== "" && { acts_as: values.acts_as }),
            },
          }),
          ({ name }) => {
            toast({ title: t("nameAdded", { name }) });
            onChanged();
          },
        );
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <SelectField
            label={t("platform")}
            {...form.register("platform")}
            options={Object.entries(platforms).map(([value, { label }]) => [
              value,
              label ?? t("anotherIssuer"),
            ])}
            onValue={(value) => {
              const { issuer, claims, single_use } = platforms[value as Platform];
              form.setValue("platform", value as Platform);
              form.setValue("issuer", issuer);
              form.setValue("claims", claims);
              form.setValue("single_use", single_use);
            }}
          />
          <NameField form={form} />
          <TextField
            form={form}
            name="issuer"
            rule={keyRuleFields.issuer}
            label={t("issuer")}
            hint={t("theIssOfTheTokens")}
            missing={t("enterTheIssuersAddress")}
            mono
            spellCheck={false}
          />
          <TokenFields form={form} />
          <SelectField
            label={t("actsAs")}
            hint={t("theKeyHasAtMost")}
            {...form.register("acts_as")}
            options={[["", t("you")], ...serviceKeys.map(({ id, name }) => [id, name] as const)]}
          />
          <Chosen form={form} name="scopes" missing={t("chooseAtLeastOnePermission")}>
            {(field) => (
              <CheckList
                {...field}
                legend={t("permissions")}
                options={scopes.map((value) => ({ value, label: scopeLabel(value, t) }))}
              />
            )}
          </Chosen>
          <LifeFields form={form} audience={audience} />
          <KeyLimits modelIds={modelIds} parts={parts} note={t("limitsOfRule")} />
        </>
      )}
    </ResourceDialog>
  );
}

interface EditRuleProps {
  rule: KeyRule;
  audience: string;
  onClose: () => void;
  onChanged: () => void;
}

/** Changes a rule. Only what was changed is sent, because a change of claims, audience or `single_use` ends its keys. */
function EditRule({ rule, audience, onClose, onChanged }: EditRuleProps) {
  const t = useWords("keys");
  const { toast } = useToast();
  const { parts, unfold } = useUnfold();
  const defaults = valuesOfRule(rule, audience);
  const before = changesOf(defaults, audience);
  return (
    <ResourceDialog<RuleValues>
      title={t("editRule", { name: rule.name })}
      description={t("editRuleMeans", { issuer: rule.issuer, count: rule.live_keys })}
      defaults={defaults}
      names={names}
      submitLabel={t("saveRule")}
      onWrong={unfold}
      save={async (values) => {
        const after = changesOf(values, audience);
        const body = Object.fromEntries(
          Object.entries(after).filter(
            ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof KeyRuleUpdate]),
          ),
        );
        if (Object.keys(body).length === 0) return onClose() ?? null;
        return settle(act("PATCH /key_rules/{id}", { params: { id: rule.id }, body }), ({ name }) => {
          toast({ title: t("nameSaved", { name }) });
          onChanged();
        });
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <NameField form={form} />
          <TokenFields form={form} />
          <LifeFields form={form} audience={audience} />
          <KeyLimits modelIds={null} parts={parts} note={t("limitsOfRule")} />
        </>
      )}
    </ResourceDialog>
  );
}

function valuesOfRule(rule: KeyRule, audience: string): RuleValues {
  const { scopes, lifetime, models, regions, kind } = newKeyValues;
  return {
    ...{ scopes, lifetime, models, regions, kind, platform: "other", acts_as: "" },
    name: rule.name,
    issuer: rule.issuer,
    claims: Object.entries(rule.claims)
      .map((claim) => claim.join(" = "))
      .join("\n"),
    audience: rule.audience === audience ? "" : rule.audience,
    single_use: rule.single_use,
    lifetime_seconds: String(rule.lifetime_seconds),
    allowed_origins: rule.allowed_origins?.join("\n") ?? "",
    networks: rule.networks?.join("\n") ?? "",
    requests_per_minute: String(rule.requests_per_minute ?? ""),
    max_concurrency: String(rule.max_concurrency ?? ""),
    ...tokenRateValues(rule),
    contents: rule.contents,
    monthly_budget: budgetValues(rule.monthly_budget),
    money: moneyValues(rule.budgets),
    task_budget: taskCapValues(rule.task_budget),
  };
}

/** Everything that a rule can be changed to. */
function changesOf(values: RuleValues, audience: string): KeyRuleUpdate {
  const numberOf = (text: string) => (text.trim() === "" ? null : Number(text));
  return {
    name: values.name.trim(),
    allowed_origins: linesOf(values.allowed_origins),
    networks: linesOf(values.networks),
    requests_per_minute: numberOf(values.requests_per_minute),
    max_concurrency: numberOf(values.max_concurrency),
    ...tokenRateBody(values),
    contents: values.contents,
    monthly_budget: budgetBody(values.monthly_budget),
    budgets: moneyBody(values.money),
    task_budget: taskCapBody(values.task_budget),
    claims: claimsIn(values.claims) ?? {},
    audience: values.audience.trim() || audience,
    single_use: values.single_use,
    ...(values.lifetime_seconds.trim() !== "" && { lifetime_seconds: Number(values.lifetime_seconds) }),
  };
}

interface RuleFieldsProps {
  form: UseFormReturn<RuleValues>;
}

function NameField({ form }: RuleFieldsProps) {
  const t = useWords("keys");
  return (
    <TextField
      form={form}
      name="name"
      rule={keyFields.name}
      label={t("name")}
      hint={t("forExampleTheJobNightly")}
      missing={t("enterAName")}
    />
  );
}

/** Which tokens a rule takes. */
function TokenFields({ form }: RuleFieldsProps) {
  const t = useWords("keys");
  return (
    <>
      <TextField
        form={form}
        name="claims"
        label={t("claimsThatTheTokenMust")}
        hint={t("onePerLineNameValue")}
        check={(text) => (Object.keys(claimsIn(text) ?? {}).length > 0 ? true : t("claimWithoutValue"))}
        required={requiredIn<KeyRuleCreate>("claims")}
        rows={4}
        mono
        spellCheck={false}
      />
      <Checkbox
        {...form.register("single_use")}
        label={t("eachTokenWorksOnce")}
        hint={t("aRepeatWithin30S")}
      />
    </>
  );
}

/** How long its keys live, and the audience of the tokens. */
function LifeFields({ form, audience }: RuleFieldsProps & { audience: string }) {
  const t = useWords("keys");
  return (
    <div className="grid gap-3 phone:grid-cols-2">
      <NumberField
        form={form}
        name="lifetime_seconds"
        label={t("secondsThatAKeyLives")}
        bounds={keyRuleFields.lifetime}
      />
      <TextField
        form={form}
        name="audience"
        label={t("audience")}
        placeholder={audience}
        hint={t("leaveItEmptyForThe")}
        optional
        mono
        spellCheck={false}
      />
    </div>
  );
}
