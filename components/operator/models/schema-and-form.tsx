"use client";

import dynamic from "next/dynamic";
import { useMemo } from "react";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import type { OperatorModel } from "#contract/operator/models.ts";
import { useWords } from "#words";
import { ErrorBoundary } from "@/components/ui/page/error-boundary";
import { Skeleton } from "@/components/ui/page/skeleton";
import { JsonBox } from "../json-box.tsx";
import { useDebouncedText } from "../use-debounced-text.ts";
import { type EntryDraft, objectFrom } from "./entry-draft.ts";

const FormPreview = dynamic(() => import("./form-preview.tsx").then((module) => module.FormPreview), {
  ssr: false,
  loading: () => <Skeleton className="h-64 w-full" />,
});

interface SchemaAndFormProps {
  model: OperatorModel;
  draft: EntryDraft;
  onChange: ((part: Partial<EntryDraft>) => void) | null;
  baseUrl: string;
  error?: string | undefined;
}

/** The input schema beside its form. */
export function SchemaAndForm({ model, draft, onChange, baseUrl, error }: SchemaAndFormProps) {
  const t = useWords("operatorModels");
  const schema = useDebouncedText(draft.schema);
  const example = useDebouncedText(draft.example);
  const shown = useMemo(() => shownAs(model, schema, example), [model, schema, example]);
  return (
    <div className="grid min-w-0 grid-cols-1 items-start gap-6 desktop:grid-cols-2">
      <section aria-label={t("form")} className="min-w-0 rounded-panel border bg-panel p-4">
        <p className="mb-3 text-table font-medium text-muted">{t("previewOfTheForm")}</p>
        {shown ? (
          <ErrorBoundary
            key={`${schema}${example}`}
            fallback={<p className="text-muted">{t("thereIsNoFormFor")}</p>}
          >
            <FormPreview key={`${schema}${example}`} baseUrl={baseUrl} {...shown} />
          </ErrorBoundary>
        ) : (
          <p className="text-muted">{t("fixTheJsonToSee")}</p>
        )}
      </section>
      <JsonBox
        label={t("inputSchema")}
        rows={24}
        text={draft.schema}
        onChange={(text) => onChange?.({ schema: text })}
        disabled={onChange === null}
        error={error}
        hint={t("anyJsonSchemaIsAllowed")}
      />
    </div>
  );
}

/** The part of the catalog entry that the form needs. Null while the JSON is invalid. */
function shownAs(
  model: OperatorModel,
  schemaText: string,
  exampleText: string,
): { model: CatalogModel; operation: CatalogOperation } | null {
  const schema = objectFrom(schemaText);
  const example = objectFrom(exampleText);
  const [operation] = model.operations;
  if (!schema || !example || !operation) return null;
  const { api_type, billing_unit, execution_mode, schema_version, output_schema, limits } = operation;
  return {
    model: catalogModel(model),
    operation: {
      id: `${model.id}:${api_type}`,
      api_type,
      billing_unit,
      execution_mode,
      schema_version,
      output_schema,
      limits,
      input_schema: schema,
      example,
      deployments: [],
    },
  };
}

function catalogModel({ id, regions, safety_requirements, modality }: OperatorModel): CatalogModel {
  return {
    id,
    object: "model",
    created: 0,
    owned_by: "",
    modality,
    api_types: [],
    gateway_status: "",
    available_regions: regions,
    configured_regions: regions,
    healthy_regions: regions,
    gateway_regions: regions,
    released_regions: regions,
    released_at: "",
    latest_release_at: "",
    region_discovery: "",
    registry_revision: "",
    safety_requirements,
    operations: [],
  };
}
