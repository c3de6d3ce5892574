"use client";

import { useMemo, useState } from "react";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { FormTab } from "@/components/playground/form-tab";
import { exampleDraft, writeDraft } from "@/lib/schema-form/draft";
import { planForm } from "@/lib/schema-form/plan-form";

interface FormPreviewProps {
  model: CatalogModel;
  operation: CatalogOperation;
  /** The gateway's public address, ending with `/v1`. */
  baseUrl: string;
}

const nothing = () => {};
const nothingYet = () => nothing;

/** The form for a schema, to try out: nothing is stored or sent. */
export function FormPreview({ model, operation, baseUrl }: FormPreviewProps) {
  const plan = useMemo(() => planForm(model, operation), [model, operation]);
  const [draft, setDraft] = useState(() => exampleDraft(plan, operation.example));
  return (
    <FormTab
      baseUrl={baseUrl}
      plan={plan}
      draft={draft}
      problems={[]}
      onValue={(value) => setDraft(writeDraft(value))}
      onUploading={nothing}
      onUnreadable={nothingYet}
      onJson={nothing}
    />
  );
}
