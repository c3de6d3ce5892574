"use client";

import { useState } from "react";
import { Controller, FormProvider, useForm } from "react-hook-form";
import { type ApiType, apiTypes } from "#contract/catalog-constants.ts";
import type { OperatorProvider } from "#contract/operator-providers.ts";
import type { RouteMapAllResult } from "#contract/operator-routes.ts";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Field } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { FormDialog } from "@/components/ui/form-dialog";
import { Select } from "@/components/ui/input";
import { RadioGroup } from "@/components/ui/radio-group";
import { formatCount } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { kindWord } from "@/lib/operator/provider-words";
import { mapAllModels } from "@/lib/operator/route-actions";
import { ProviderModelFields, type ProviderModelValues, usualProvider } from "../provider-model-fields.tsx";
import { useChange } from "../use-change.ts";

interface MapAllDialogProps {
  providers: readonly OperatorProvider[];
  onClose: () => void;
}

interface Values extends ProviderModelValues {
  apiType: ApiType;
  existing: "replace" | "keep";
}

/** One model of a provider for all models of a kind. */
export function MapAllDialog({ providers, onClose }: MapAllDialogProps) {
  const { change } = useChange();
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const [outcome, setOutcome] = useState<RouteMapAllResult | null>(null);
  const form = useForm<Values>({
    defaultValues: {
      apiType: "chat-completions",
      provider: usualProvider(providers),
      upstream: "",
      existing: "replace",
    },
  });
  const { isSubmitting } = form.formState;

  const send = form.handleSubmit(async ({ apiType, provider: name, upstream, existing }) => {
    setFailure(null);
    const body = {
      api_type: apiType,
      provider: name,
      upstream_model: upstream.trim(),
      replace: existing === "replace",
    };
    const done = (result: RouteMapAllResult) => (result.skipped.length > 0 ? setOutcome(result) : onClose());
    setFailure(await change(mapAllModels(body), (result) => saidOf(result, upstream.trim()), done));
  });

  if (outcome) return <Skipped outcome={outcome} onClose={onClose} />;
  return (
    <FormDialog open busy={isSubmitting} onClose={onClose} title="Map all models of a kind">
      <form onSubmit={send} noValidate autoComplete="off" className="space-y-4">
        <Field label="All models for">
          {(aria) => (
            <Select {...aria} {...form.register("apiType")}>
              {apiTypes.map((type) => (
                <option key={type} value={type}>
                  {kindWord(type)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <FormProvider {...form}>
          <ProviderModelFields providers={providers} />
        </FormProvider>
        <Controller
          control={form.control}
          name="existing"
          render={({ field }) => (
            <RadioGroup
              legend="Routes that these models have already"
              value={field.value}
              onChange={field.onChange}
              options={[
                { value: "replace", label: "Replace them" },
                {
                  value: "keep",
                  label: "Keep them",
                  hint: "The existing routes are tried first, this one if they fail.",
                },
              ]}
            />
          )}
        />
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Map all
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}

/** Which models kept what they had, and why. */
function Skipped({
  outcome: { mapped, skipped },
  onClose,
}: {
  outcome: RouteMapAllResult;
  onClose: () => void;
}) {
  return (
    <FormDialog
      open
      busy={false}
      onClose={onClose}
      title={`${formatCount(mapped.length, "model")} mapped, ${skipped.length} left as they were`}
    >
      <ul className="space-y-2 text-table">
        {skipped.map(({ model, reason }) => (
          <li key={model}>
            <span className="font-mono wrap-anywhere">{model}</span>
            <span className="text-muted">: {reason}</span>
          </li>
        ))}
      </ul>
      <FormActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </FormActions>
    </FormDialog>
  );
}

function saidOf({ mapped, skipped }: RouteMapAllResult, upstream: string): string {
  const said = `${formatCount(mapped.length, "model")} mapped to ${upstream}`;
  return skipped.length > 0 ? `${said}, ${skipped.length} left as they were` : said;
}
