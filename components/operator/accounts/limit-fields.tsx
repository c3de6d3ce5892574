import type { UseFormReturn } from "react-hook-form";
import {
  accountLimitFields as bounds,
  contentsDays,
  keyRates,
  retentionMinutes,
} from "#contract/accounts/constants.ts";
import type { AccountLimits } from "#contract/accounts/limits.ts";
import { regionNames } from "#contract/catalog-constants.ts";
import { isSame } from "#contract/input-schema/json-values.ts";
import { CheckList } from "@/components/keys/check-list";
import { Chosen, NumberField } from "@/components/ui/form/bound-fields";

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

/** The fields of the limits of an account or of a plan. */
export type LimitValues = Record<NumberName, string> & {
  models: string[];
  regions: NonNullable<AccountLimits["regions"]>;
  /** The plan of an account; empty: none. */
  plan: string;
  /** The name of a plan. */
  name: string;
  reason: string;
};

export function limitDefaults(limits: AccountLimits | null): LimitValues {
  return {
    ...(Object.fromEntries(numbers.map(({ name }) => [name, String(limits?.[name] ?? "")])) as Record<
      NumberName,
      string
    >),
    models: limits?.models ?? [],
    regions: limits?.regions ?? [],
    ...{ plan: "", name: "", reason: "" },
  };
}

interface LimitFieldsProps {
  form: UseFormReturn<LimitValues>;
  modelIds: readonly string[];
  /** What an empty field means. */
  usual: AccountLimits | null;
}

/** The fields of numbers, models and regions. An empty one is no limit of its own. */
export function LimitFields({ form, modelIds, usual }: LimitFieldsProps) {
  // A model that was removed since stays in the list, so that it can be taken out.
  const offered = [...new Set([...modelIds, ...(form.formState.defaultValues?.models ?? [])])];
  return (
    <>
      <div className="grid gap-3 phone:grid-cols-2">
        {numbers.map(({ name, bounds: limit, ...words }) => (
          <NumberField
            key={name}
            form={form}
            name={name}
            {...words}
            bounds={limit}
            placeholder={usual ? String(usual[name] ?? unlimited[name] ?? "no limit") : undefined}
          />
        ))}
      </div>
      <Chosen form={form} name="models">
        {(field) => (
          <CheckList
            {...field}
            legend="Models"
            hint={
              usual?.models
                ? `If you choose none: ${usual.models.join(", ")}.`
                : "If you choose none, all models are allowed."
            }
            options={offered.map((value) => ({
              value: value ?? "",
              label: <code className="text-table wrap-anywhere">{value}</code>,
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
            hint={
              usual?.regions
                ? `If you choose none: ${usual.regions.join(", ")}.`
                : "If you choose none, all regions are allowed."
            }
            options={regionNames.map((value) => ({ value, label: value }))}
          />
        )}
      </Chosen>
    </>
  );
}

/** Only these are sent: a limit that stays may be more than the installation allows by now. */
export function changedLimits(values: LimitValues, before: AccountLimits | null): Partial<AccountLimits> {
  const { models, regions } = values;
  const after = {
    ...Object.fromEntries(
      numbers.map(({ name }) => [name, values[name].trim() === "" ? null : Number(values[name])]),
    ),
    models: models.length > 0 ? models : null,
    regions: regions.length > 0 ? regions : null,
  };
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, limit]) => !isSame(limit, before?.[name as keyof AccountLimits] ?? null),
    ),
  );
}
