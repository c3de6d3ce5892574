"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { Controller, FormProvider, useForm } from "react-hook-form";
import { type ApiType, apiTypes } from "#contract/catalog-constants.ts";
import type { OperatorModelCreate, OperatorModelProposal } from "#contract/operator/models.ts";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import { useWords } from "#words";
import { idProblem, proposedId } from "@/components/operator/models/model-id";
import {
  defaultProvider,
  ProviderModelFields,
  type ProviderModelValues,
} from "@/components/operator/provider-model-fields";
import { Button, LinkButton } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/bound-fields";
import { filledIn, requiredIn } from "@/components/ui/form/field";
import { SelectField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { NumberedSteps } from "@/components/ui/page/step-list";
import { answerOf } from "@/lib/browser/action-answer";
import type { GatewayFailure } from "@/lib/gateway/result";
import { proposeModel } from "@/lib/operator/actions";
import { kindLabel } from "@/lib/operator/provider-labels";

const ReviewStep = dynamic(() => import("./review-step.tsx").then((module) => module.ReviewStep), {
  ssr: false,
});

interface NewModelClientProps {
  providers: readonly OperatorProvider[];
  templates: readonly Template[];
  provider: string;
  name: string;
  baseUrl: string;
}

interface Proposed {
  body: OperatorModelCreate;
  proposal: OperatorModelProposal;
}

/** First choose the source of the model, then review the proposal. */
export function NewModelClient({ baseUrl, ...source }: NewModelClientProps) {
  const t = useWords("operatorModels");
  const [proposed, setProposed] = useState<Proposed | null>(null);
  const propose = async (body: OperatorModelCreate) => {
    const answer = await answerOf(proposeModel(body));
    if (!answer.ok) return answer.error;
    setProposed({ body, proposal: answer.data });
    return null;
  };
  return (
    <>
      <NumberedSteps names={[t("source"), t("formAndSettings")]} current={proposed ? 1 : 0} />
      <div hidden={proposed !== null}>
        <SourceForm {...source} propose={propose} />
      </div>
      {proposed && (
        <ReviewStep
          key={JSON.stringify(proposed.body)}
          {...proposed}
          baseUrl={baseUrl}
          onBack={() => setProposed(null)}
        />
      )}
    </>
  );
}

const exampleId = "acme/flux-dev";

interface Template {
  model: string;
  apiType: ApiType;
}

const isTemplateNeeded = requiredIn<NonNullable<OperatorModelCreate["template"]>>("model");

interface SourceFormProps {
  providers: readonly OperatorProvider[];
  templates: readonly Template[];
  provider: string;
  name: string;
  /** Requests a proposal for the model. Returns null after success, otherwise the failure. */
  propose: (body: OperatorModelCreate) => Promise<GatewayFailure | null>;
}

interface Values extends ProviderModelValues {
  kind: "import" | "template";
  apiType: ApiType | "";
  template: string;
  /** Empty: the id is derived from the name. */
  id: string;
}

/** The source: a provider's model, or an operation of the catalog as a template. */
function SourceForm({ providers, templates, propose, ...filled }: SourceFormProps) {
  const t = useWords("operatorModels");
  const shared = useWords("operator");
  const { failure, attempt } = useSend();
  const form = useForm<Values>({
    defaultValues: {
      kind: providers.length > 0 ? "import" : "template",
      provider: filled.provider || defaultProvider(providers),
      upstream: filled.name,
      apiType: "",
      template: "",
      id: "",
    },
  });
  const { errors, isSubmitting } = form.formState;
  const [kind, upstream, template] = form.watch(["kind", "upstream", "template"]);
  const offeredId = proposedId(kind === "import" ? upstream : template);

  const send = form.handleSubmit(async (values) => {
    await attempt(() => propose(bodyOf(values)));
  });

  return (
    <form onSubmit={send} noValidate autoComplete="off" className="max-w-[640px] space-y-5">
      <Controller
        control={form.control}
        name="kind"
        render={({ field }) => (
          <RadioGroup
            legend={t("sourceOfTheModel")}
            value={field.value}
            onChange={field.onChange}
            options={[
              {
                value: "import",
                label: t("importFromAProvider"),
                hint: t("theFormComesFromThe"),
              },
              {
                value: "template",
                label: t("fromATemplate"),
                hint: t("copyAnOperationOfThe"),
              },
            ]}
          />
        )}
      />
      {kind === "import" && providers.length === 0 && (
        <EmptyState
          drawing="signal"
          title={t("addAProviderFirst")}
          body={t("modelsAreImportedFromA")}
          action={
            <LinkButton variant="primary" href="/operator/providers/new">
              {t("addProvider")}
            </LinkButton>
          }
        />
      )}
      {kind === "import" && providers.length > 0 && (
        <>
          <FormProvider {...form}>
            <ProviderModelFields providers={providers} modelHint={t("theProvidersNameForThe")} />
          </FormProvider>
          <SelectField
            label={t("kind")}
            hint={t("ifEmptyTheSchemaDecides")}
            className="max-w-80"
            {...form.register("apiType")}
            options={[
              ["", t("decideBySchema")],
              ...apiTypes.map((type) => [type, kindLabel(shared, type)] as const),
            ]}
          />
        </>
      )}
      {kind === "template" && (
        <SelectField
          label={t("template")}
          required={isTemplateNeeded}
          error={errors.template?.message}
          {...form.register("template", { validate: filledIn(isTemplateNeeded, t("chooseATemplate")) })}
          options={[
            ["", shared("choose")],
            ...templates.map(({ model, apiType }) => {
              const kind = kindLabel(shared, apiType);
              return [`${model}:${apiType}`, t("modelAndKind", { model, kind })] as const;
            }),
          ]}
        />
      )}
      <TextField
        form={form}
        name="id"
        label={t("idInTheCatalog")}
        hint={t("namespaceNameAsCallersUse")}
        check={(id) => idProblem(t, id.trim() || offeredId)}
        mono
        placeholder={offeredId || exampleId}
      />
      {failure && <ErrorPanel error={failure} />}
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {kind === "import" ? t("readTheForm") : t("showTheForm")}
      </Button>
    </form>
  );
}

function bodyOf({ kind, provider, upstream, apiType, template, id }: Values): OperatorModelCreate {
  if (kind === "import")
    return {
      id: id.trim() || proposedId(upstream),
      import: { provider, name: upstream.trim(), ...(apiType && { api_type: apiType }) },
    };
  const [model = "", type] = template.split(":");
  return { id: id.trim() || proposedId(template), template: { model, api_type: type as ApiType } };
}
