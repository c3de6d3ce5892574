"use client";

import { useState } from "react";
import { type ApiType, apiTypes } from "#contract/catalog-constants.ts";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import type { RouteMapAll, RouteMapAllResult } from "#contract/operator/routes.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Chosen } from "@/components/ui/form/bound-fields";
import { FormActions, FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Coded } from "@/components/words/coded";
import { answerOf } from "@/lib/browser/action-answer";
import { act, changeConfiguration } from "@/lib/gateway/act";
import type { GatewayFailure } from "@/lib/gateway/result";
import { kindLabel } from "@/lib/operator/provider-labels";
import { defaultProvider, ProviderModelFields, type ProviderModelValues } from "../provider-model-fields.tsx";
import { useChange } from "../use-change.ts";

interface MapAllDialogProps {
  providers: readonly OperatorProvider[];
  onClose: () => void;
}

interface Values extends ProviderModelValues {
  apiType: ApiType;
  existing: "replace" | "keep";
}

/** A mapping that would leave some models unchanged. */
interface Plan {
  body: RouteMapAll;
  result: RouteMapAllResult;
}

/** Maps all models of a kind to one model of a provider. */
export function MapAllDialog({ providers, onClose }: MapAllDialogProps) {
  const t = useWords("mapping");
  const shared = useWords("operator");
  const { change } = useChange();
  const { busy, failure, attempt } = useSend();
  const [plan, setPlan] = useState<Plan | null>(null);
  /** The values that were sent last, for the way back to the form. */
  const [sent, setSent] = useState<Values>({
    apiType: "chat-completions",
    provider: defaultProvider(providers),
    upstream: "",
    existing: "replace",
  });

  const map = (body: RouteMapAll) =>
    change(
      changeConfiguration("POST /operator/routes/map", { body }),
      ({ mapped, skipped }) =>
        t("modelsMapped", { count: mapped.length, to: body.upstream_model, unchanged: skipped.length }),
      onClose,
    );
  const save = async (values: Values) => {
    const body = {
      api_type: values.apiType,
      provider: values.provider,
      upstream_model: values.upstream.trim(),
      replace: values.existing === "replace",
    };
    const answer = await answerOf(act("POST /operator/routes/map", { body: { ...body, dry_run: true } }));
    if (!answer.ok) return answer.error;
    if (answer.data.skipped.length === 0) return await map(body);
    setSent(values);
    setPlan({ body, result: answer.data });
    return null;
  };

  if (plan)
    return (
      <LeftOut
        {...plan}
        failure={failure}
        busy={busy}
        onMap={() => void attempt(() => map(plan.body))}
        onBack={() => setPlan(null)}
      />
    );
  return (
    <ResourceDialog<Values>
      title={t("mapAllModelsOfA")}
      defaults={sent}
      names={[]}
      submitLabel={t("mapAll")}
      save={save}
      onClose={onClose}
    >
      {(form) => (
        <>
          <SelectField
            label={t("allModelsFor")}
            {...form.register("apiType")}
            options={apiTypes.map((type) => [type, kindLabel(shared, type)])}
          />
          <ProviderModelFields providers={providers} />
          <Chosen form={form} name="existing">
            {({ value, onChange }) => (
              <RadioGroup
                legend={t("existingRoutesOfTheseModels")}
                value={value}
                onChange={onChange}
                options={[
                  { value: "replace", label: t("replaceThem") },
                  {
                    value: "keep",
                    label: t("keepThem"),
                    hint: t("theExistingRoutesAreTried"),
                  },
                ]}
              />
            )}
          </Chosen>
        </>
      )}
    </ResourceDialog>
  );
}

interface LeftOutProps extends Plan {
  failure: GatewayFailure | null;
  busy: boolean;
  onMap: () => void;
  onBack: () => void;
}

/** Shown before mapping: models that would stay unchanged, with the reason. */
function LeftOut({ body, result: { mapped, skipped }, failure, busy, onMap, onBack }: LeftOutProps) {
  const t = useWords("mapping");
  return (
    <FormDialog
      open
      busy={busy}
      onClose={onBack}
      title={
        mapped.length === 0
          ? t("providerCanServeNoneOf", { provider: body.provider })
          : t("mapSomeOf", { some: mapped.length, all: mapped.length + skipped.length })
      }
      description={t("wouldStay", { count: skipped.length })}
    >
      <ul className="space-y-2 text-table">
        {skipped.map(({ model, reason, reason_codes: codes }) => (
          <li key={model}>
            <span className="block font-mono wrap-anywhere">{model}</span>
            <span className="text-muted">
              <Coded text={reason} codes={codes} />
            </span>
          </li>
        ))}
      </ul>
      {failure && <ErrorPanel error={failure} />}
      <FormActions>
        <Button onClick={onBack} disabled={busy}>
          {t("back")}
        </Button>
        {mapped.length > 0 && (
          <Button variant="primary" busy={busy} onClick={onMap}>
            {t("mapModels", { count: mapped.length })}
          </Button>
        )}
      </FormActions>
    </FormDialog>
  );
}
