"use client";

import { useMemo, useState } from "react";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { useWords } from "#words";
import { SchemaForm } from "@/components/playground/form/schema-form";
import { exampleDraft, writeDraft } from "@/lib/schema-form/draft";
import { planForm } from "@/lib/schema-form/plan-form";

interface FormPreviewProps {
  model: CatalogModel;
  operation: CatalogOperation;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

const noProblems: never[] = [];

/** The form for a schema, to try out. Nothing is stored or sent. */
export function FormPreview({ model, operation, baseUrl }: FormPreviewProps) {
  const t = useWords("inputForm");
  const plan = useMemo(() => planForm(model, operation, t), [model, operation, t]);
  const [draft, setDraft] = useState(() => exampleDraft(plan, operation.example));
  return (
    <SchemaForm
      baseUrl={baseUrl}
      plan={plan}
      value={draft.value ?? {}}
      problems={noProblems}
      onChange={(value) => setDraft(writeDraft(value))}
    />
  );
}
