"use client";

import {
  accountLimitFields as bounds,
  contentsDays,
  keyRates,
  retentionMinutes,
} from "#contract/accounts/constants.ts";
import type { AccountLimits, AccountLimitsUpdate } from "#contract/accounts/limits.ts";
import { regionNames } from "#contract/catalog-constants.ts";
import { isSame } from "#contract/input-schema/json-values.ts";
import type { OperatorAccountDetail } from "#contract/operator/accounts.ts";
import { CheckList } from "@/components/keys/check-list";
import { Chosen, NumberField, TextField } from "@/components/ui/form/bound-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

const numbers = [
  { name: "requests_per_minute", label: "Requests per minute", bounds: bounds.requests_per_minute },
  { name: "tokens_per_minute", label: "Tokens per minute", bounds: keyRates.tokens_per_minute },
  { name: "max_concurrency", label: "Concurrent requests", bounds: bounds.max_concurrency },
  { name: "storage_bytes", label: "Stored files in bytes", bounds: bounds.storage_bytes },
  {
    name: "contents_days",
    label: "Days of contents",
    bounds: contentsDays,
    hint: "Older contents are deleted, and the account’s own number is shortened.",
  },
  {
    name: "shortest_retention_minutes",
    label: "Shortest retention in minutes",
    bounds: retentionMinutes,
    hint: "How early its owner may have inputs and outputs removed.",
  },
] as const;

/** What an empty field means where the installation sets nothing, if that is not "no limit". */
const unlimited: Partial<Record<NumberName, string>> = { shortest_retention_minutes: "not allowed" };

type NumberName = (typeof numbers)[number]["name"];
type Values = Record<NumberName, string> & {
  models: string[];
  regions: NonNullable<AccountLimits["regions"]>;
  reason: string;
};

interface LimitsDialogProps {
  account: OperatorAccountDetail;
  modelIds: string[];
  onClose: () => void;
}

/** Changes what limits one account. An empty field is the limit of the installation. */
export function LimitsDialog({ account, modelIds, onClose }: LimitsDialogProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const { limits, usual_limits: usual } = account;
  // A model that was removed since stays in the list, so that it can be taken out.
  const offered = [...new Set([...modelIds, ...(limits.models ?? [])])];
  return (
    <ResourceDialog<Values>
      title={`Limits of ${account.name}`}
      description="For all its keys and members together. Leave a field empty for the limit of the installation."
      defaults={{
        ...(Object.fromEntries(numbers.map(({ name }) => [name, String(limits[name] ?? "")])) as Record<
          NumberName,
          string
        >),
        models: limits.models ?? [],
        regions: limits.regions ?? [],
        reason: "",
      }}
      submitLabel="Save limits"
      save={async (values) => {
        const changed = changedLimits(values, limits);
        if (Object.keys(changed).length === 0) {
          toast({ title: "No limit changed" });
          onClose();
          return null;
        }
        const body: AccountLimitsUpdate = { ...changed, reason: values.reason.trim() };
        return settle(
          act("PATCH /operator/accounts/{id}/limits", { params: { id: account.id }, body }),
          () => {
            toast({ title: "Limits changed" });
            onClose();
            router.refresh();
          },
        );
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <div className="grid gap-3 phone:grid-cols-2">
            {numbers.map(({ name, bounds: limit, ...words }) => (
              <NumberField
                key={name}
                form={form}
                name={name}
                {...words}
                bounds={limit}
                placeholder={usual[name] === null ? (unlimited[name] ?? "no limit") : String(usual[name])}
              />
            ))}
          </div>
          <Chosen form={form} name="models">
            {(field) => (
              <CheckList
                {...field}
                legend="Models"
                hint="If you choose none, all models are allowed."
                options={offered.map((value) => ({
                  value,
                  label: <code className="text-table">{value}</code>,
                }))}
                scrolls
              />
            )}
          </Chosen>
          <Chosen form={form} name="regions">
            {(field) => (
              <CheckList
                {...field}
                legend="Regions"
                hint="If you choose none, all regions are allowed."
                options={regionNames.map((value) => ({ value, label: value }))}
              />
            )}
          </Chosen>
          <TextField
            form={form}
            name="reason"
            rule={bounds.reason}
            label="Reason"
            hint="Members of the account see it in their audit log."
            missing="Enter why the limits change."
          />
        </>
      )}
    </ResourceDialog>
  );
}

/** Only these are sent: one that stays may be more than the installation allows by now. */
function changedLimits(
  { models, regions, reason: _, ...typed }: Values,
  before: AccountLimits,
): Partial<AccountLimits> {
  const after = {
    ...Object.fromEntries(
      numbers.map(({ name }) => [name, typed[name].trim() === "" ? null : Number(typed[name])]),
    ),
    models: models.length > 0 ? models : null,
    regions: regions.length > 0 ? regions : null,
  };
  return Object.fromEntries(
    Object.entries(after).filter(([name, limit]) => !isSame(limit, before[name as keyof AccountLimits])),
  );
}
