"use client";

import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { useController, useFormContext } from "react-hook-form";
import { providerFields } from "#contract/operator/constants.ts";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import { useWords } from "#words";
import { FailureInShort } from "@/components/ui/failure-in-short";
import { ComboboxField } from "@/components/ui/form/combobox";
import { filledIn } from "@/components/ui/form/field";
import { SelectField } from "@/components/ui/form/input-fields";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { useDebouncedText } from "./use-debounced-text.ts";

/** Values of a form that chooses a provider and one of its models. */
export interface ProviderModelValues {
  provider: string;
  upstream: string;
}

interface ProviderModelFieldsProps {
  providers: readonly OperatorProvider[];
  modelHint?: string;
}

/** Chooses a provider, and one of its models by the name that the provider uses. Part of a larger form. */
export function ProviderModelFields({ providers, modelHint }: ProviderModelFieldsProps) {
  const t = useWords("operator");
  const { control, register, watch, formState } = useFormContext<ProviderModelValues>();
  const { errors } = formState;
  const { field: upstream } = useController({
    control,
    name: "upstream",
    rules: { validate: filledIn(providerFields.upstreamModel, t("enterUpstream")) },
  });
  const chosen = providers.find(({ name }) => name === watch("provider"));
  return (
    <div className="grid items-start gap-4 phone:grid-cols-[2fr_3fr]">
      <SelectField
        label={t("provider")}
        rule={providerFields.name}
        error={errors.provider?.message}
        {...register("provider", { validate: filledIn(providerFields.name, t("chooseProvider")) })}
        options={[["", t("choose")], ...providers.map(({ name }) => name)]}
      />
      <UpstreamField
        hint={modelHint}
        error={errors.upstream?.message}
        providerId={chosen?.id ?? null}
        value={upstream.value}
        onValue={upstream.onChange}
      />
    </div>
  );
}

/** The only provider, if there is just one. */
export function defaultProvider(providers: readonly OperatorProvider[]): string {
  return providers.length === 1 ? (providers[0]?.name ?? "") : "";
}

interface UpstreamFieldProps
  extends Pick<ComponentProps<typeof ComboboxField>, "hint" | "error" | "value" | "onValue"> {
  providerId: string | null;
}

const keptMs = 60_000;

/** Chooses a model by the name that the provider uses. Suggests names from the provider's list. */
export function UpstreamField({ providerId, ...field }: UpstreamFieldProps) {
  const t = useWords("operator");
  const { list, failure, busy } = useUpstreamModels(providerId, field.value);
  const options = (list?.data ?? []).map(({ id, description }) => ({
    value: id,
    ...(description && { hint: description.slice(0, 120) }),
  }));
  const note = failure
    ? t.rich(
        "listUnreadable",
        { reason: failure.message },
        { english: () => <FailureInShort key="english" failure={failure} /> },
      )
    : busy && !list
      ? t("loadingList")
      : list?.has_more
        ? t("moreMatch")
        : null;
  return (
    <ComboboxField
      {...field}
      label={t("providersModel")}
      rule={providerFields.upstreamModel}
      options={options}
      note={note}
      mono
      placeholder={providerId ? t("typeToSearchTheProviders") : t("chooseAProviderFirst")}
    />
  );
}

/**
 * A provider's models, searched by a part of the name while the user types. Without a provider, nothing is
 * sent.
 */
export function useUpstreamModels(providerId: string | null, text: string) {
  const query = useDebouncedText(text.trim());
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["operator", "upstream-models", providerId, query],
    queryFn: ({ signal }) =>
      fetchRoute("GET /operator/providers/{id}/models", {
        params: { id: providerId ?? "" },
        query: { q: query },
        signal,
      }),
    enabled: providerId !== null,
    staleTime: keptMs,
    retry: false,
    placeholderData: (previous) => previous,
  });
  return { list: data, failure: failureBehind(error), busy: isFetching, refetch };
}
