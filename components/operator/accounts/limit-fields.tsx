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
import { useWords } from "#words";
import { CheckList } from "@/components/keys/check-list";
import { Chosen, NumberField } from "@/components/ui/form/bound-fields";
import { listText } from "@/lib/words/list-text";

const numbers = [
  { name: "requests_per_minute", label: "requestsPerMinute", bounds: bounds.requests_per_minute },
  { name: "tokens_per_minute", label: "tokensPerMinute", bounds: keyRates.tokens_per_minute },
  { name: "max_concurrency", label: "concurrentRequests", bounds: bounds.max_concurrency },
  { name: "storage_bytes", label: "storedBytes", bounds: bounds.storage_bytes },
  { name: "contents_days", label: "daysOfContents", bounds: contentsDays, hint: "daysOfContentsHint" },
  {
    name: "shortest_retention_minutes",
    label: "shortestRetention",
    bounds: retentionMinutes,
    hint: "shortestRetentionHint",
  },
] as const;

/** What an empty field means where the installation sets nothing, if that is not "no limit". */
const unlimited: Partial<Record<NumberName, "notAllowed">> = { shortest_retention_minutes: "notAllowed" };

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
  const t = useWords("operatorAccounts");
  // A model that was removed since stays in the list, so that it can be taken out.
  const offered = [...new Set([...modelIds, ...(form.formState.defaultValues?.models ?? [])])];
  return (
    <>
      <div className="grid gap-3 phone:grid-cols-2">
        {numbers.map(({ name, label, bounds: limit, ...words }) => (
          <NumberField
            key={name}
            form={form}
            name={name}
            label={t(label)}
            hint={"hint" in words ? t(words.hint) : undefined}
            bounds={limit}
            placeholder={usual ? String(usual[name] ?? t(unlimited[name] ?? "noLimit")) : undefined}
          />
        ))}
      </div>
      <Chosen form={form} name="models">
        {(field) => (
          <CheckList
            {...field}
            legend={t("models")}
            hint={
              usual?.models
                ? t("ifNone", { usual: listText(t.language, usual.models, "plain") })
                : t("ifYouChooseNoneAll")
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
            legend={t("regions")}
            hint={
              usual?.regions
                ? t("ifNone", { usual: listText(t.language, usual.regions, "plain") })
                : t("ifYouChooseNoneAll2")
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
