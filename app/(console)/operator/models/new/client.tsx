"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { Controller, FormProvider, useForm } from "react-hook-form";
import { type ApiType, apiTypes } from "#contract/catalog-constants.ts";
import type { OperatorModelCreate, OperatorModelProposal } from "#contract/operator/models.ts";
import type { OperatorProvider } from "#contract/operator/providers.ts";
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
  const [proposed, setProposed] = useState<Proposed | null>(null);
  const propose = async (body: OperatorModelCreate) => {
    const answer = await answerOf(proposeModel(body));
    if (!answer.ok) return answer.error;
    setProposed({ body, proposal: answer.data });
    return null;
  };
  return (
    <>
      <NumberedSteps names={["Source", "Form and settings"]} current={proposed ? 1 : 0} />
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
            legend="Source of the model"
            value={field.value}
            onChange={field.onChange}
            options={[
              {
                value: "import",
                label: "Import from a provider",
                hint: "The form comes from the model's schema, or from the schema of its kind.",
              },
              {
                value: "template",
                label: "From a template",
                hint: "Copy an operation of the catalog, then map it to a provider.",
              },
            ]}
          />
        )}
      />
      {kind === "import" && providers.length === 0 && (
        <EmptyState
          drawing="signal"
          title="Add a provider first"
          body="Models are imported from a provider, and no provider is connected yet."
          action={
            <LinkButton variant="primary" href="/operator/providers/new">
              Add provider
            </LinkButton>
          }
        />
      )}
      {kind === "import" && providers.length > 0 && (
        <>
          <FormProvider {...form}>
            <ProviderModelFields
              providers={providers}
              modelHint="The provider's name for the model: owner/name, fal-ai/flux/dev, gpt-5-mini"
            />
          </FormProvider>
          <SelectField
            label="Kind"
            hint="If empty, the schema decides."
            className="max-w-80"
            {...form.register("apiType")}
            options={[
              ["", "Decide by the schema"],
              ...apiTypes.map((type) => [type, kindLabel(type)] as const),
            ]}
          />
        </>
      )}
      {kind === "template" && (
        <SelectField
          label="Template"
          required={isTemplateNeeded}
          error={errors.template?.message}
          {...form.register("template", { validate: filledIn(isTemplateNeeded, "Choose a template.") })}
          options={[
            ["", "Choose…"],
            ...templates.map(
              ({ model, apiType }) => [`${model}:${apiType}`, `${model}: ${kindLabel(apiType)}`] as const,
            ),
          ]}
        />
      )}
      <TextField
        form={form}
        name="id"
        label="Id in the catalog"
        hint="namespace/name, as callers use it. It cannot be changed later."
        check={(id) => idProblem(id.trim() || offeredId)}
        mono
        placeholder={offeredId || "acme/flux-dev"}
      />
      {failure && <ErrorPanel error={failure} />}
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {kind === "import" ? "Read the form" : "Show the form"}
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
