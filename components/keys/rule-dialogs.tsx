"use client";

import { useQuery } from "@tanstack/react-query";
import type { UseFormReturn } from "react-hook-form";
import { keyFields, scopes } from "#contract/accounts/constants.ts";
import { keyRuleFields } from "#contract/key-rule-constants.ts";
import type { KeyRule, KeyRuleCreate, KeyRuleUpdate, ShortKey } from "#contract/key-rules.ts";
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
import { scopeLabels } from "./key-labels.ts";
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
      title={`Delete “${rule.name}”?`}
      body={`Its keys stop working within a second (${rule.live_keys} now), and jobs can no longer exchange tokens by this rule.`}
      confirmLabel="Delete rule"
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={async () => {
        const answer = await send(() => answerOf(act("DELETE /key_rules/{id}", { params: { id: rule.id } })));
        if (!answer.ok) return;
        toast({ title: `${rule.name} deleted` });
        onChanged();
      }}
    />
  );
}

/** The newest keys that workloads got by a rule. */
function RuleKeys({ rule, onClose }: { rule: KeyRule; onClose: () => void }) {
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
    { head: "Workload", cellClass: "min-w-40 wrap-anywhere", cell: ({ subject }) => <code>{subject}</code> },
    { head: "Got it", cell: ({ created_at }) => <Time value={created_at} /> },
    { head: "Ends", cell: ({ expires_at, ended_at }) => <Time value={ended_at ?? expires_at} /> },
    may("key_rules:write") && {
      head: actionsHead,
      cell: (key) =>
        key.ended_at === null &&
        Date.parse(key.expires_at) > Date.now() && (
          <Button size="sm" disabled={busy} onClick={() => void end(key)}>
            End now<span className="sr-only">: {key.subject}</span>
          </Button>
        ),
    },
  ];
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => !open && onClose()}
      title={`Keys of “${rule.name}”`}
      description="The newest 20. Each is removed a day after its end."
    >
      {unread ? (
        <ErrorPanel error={unread} />
      ) : !data ? (
        <Skeleton className="h-24" />
      ) : data.data.length === 0 ? (
        <p className="text-muted">No job has exchanged a token by this rule since yesterday.</p>
      ) : (
        <RowsTable label="Short keys" rows={data.data} columns={columns} />
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
  const { toast } = useToast();
  const { parts, unfold } = useUnfold();
  const first = platforms.github;
  return (
    <ResourceDialog<RuleValues>
      title="Add rule"
      description="Which tokens get a short key, and what that key may do."
      defaults={{
        ...newKeyValues,
        ...{ scopes: ["inference"], platform: "github", issuer: first.issuer, claims: first.claims },
        ...{ audience: "", single_use: first.single_use, lifetime_seconds: "3600", acts_as: "" },
      }}
      names={names}
      submitLabel="Add rule"
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
            toast({ title: `${name} added` });
            onChanged();
          },
        );
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <SelectField
            label="Platform"
            {...form.register("platform")}
            options={Object.entries(platforms).map(([value, { label }]) => [value, label])}
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
            label="Issuer"
            hint="The iss of the tokens, exactly as they have it."
            missing="Enter the issuer’s address."
            mono
            spellCheck={false}
          />
          <TokenFields form={form} />
          <SelectField
            label="Acts as"
            hint="The key has at most these rights, and gated models use the attestations of this person, or of the person responsible for the key."
            {...form.register("acts_as")}
            options={[["", "You"], ...serviceKeys.map(({ id, name }) => [id, name] as const)]}
          />
          <Chosen form={form} name="scopes" missing="Choose at least one permission.">
            {(field) => (
              <CheckList
                {...field}
                legend="Permissions"
                options={scopes.map((value) => ({ value, label: scopeLabels[value] }))}
              />
            )}
          </Chosen>
          <LifeFields form={form} audience={audience} />
          <KeyLimits modelIds={modelIds} parts={parts} />
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
  const { toast } = useToast();
  const { parts, unfold } = useUnfold();
  const defaults = valuesOfRule(rule, audience);
  const before = changesOf(defaults, audience);
  return (
    <ResourceDialog<RuleValues>
      title={`Edit “${rule.name}”`}
      description={`Takes tokens of ${rule.issuer}. Other claims, another audience or single use end its keys (${rule.live_keys} now); limits apply to them at once.`}
      defaults={defaults}
      names={names}
      submitLabel="Save rule"
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
          toast({ title: `${name} saved` });
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
          <KeyLimits modelIds={null} parts={parts} />
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
  return (
    <TextField
      form={form}
      name="name"
      rule={keyFields.name}
      label="Name"
      hint="For example, the job: “nightly renders”."
      missing="Enter a name."
    />
  );
}

/** Which tokens a rule takes. */
function TokenFields({ form }: RuleFieldsProps) {
  return (
    <>
      <TextField
        form={form}
        name="claims"
        label="Claims that the token must have"
        hint="One per line: name = value. A value may end with * after a fixed part."
        check={(text) =>
          Object.keys(claimsIn(text) ?? {}).length > 0
            ? true
            : "Give each line a name and a value: ref = refs/heads/main"
        }
        required={requiredIn<KeyRuleCreate>("claims")}
        rows={4}
        mono
        spellCheck={false}
      />
      <Checkbox
        {...form.register("single_use")}
        label="Each token works once"
        hint="A repeat within 30 s gets a new key and ends the first. Not for pods, which reuse their token."
      />
    </>
  );
}

/** How long its keys live, and the audience of the tokens. */
function LifeFields({ form, audience }: RuleFieldsProps & { audience: string }) {
  return (
    <div className="grid gap-3 phone:grid-cols-2">
      <NumberField
        form={form}
        name="lifetime_seconds"
        label="Seconds that a key lives"
        bounds={keyRuleFields.lifetime}
      />
      <TextField
        form={form}
        name="audience"
        label="Audience"
        placeholder={audience}
        hint="Leave it empty for the address that only this account has."
        optional
        mono
        spellCheck={false}
      />
    </div>
  );
}
