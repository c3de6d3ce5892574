"use client";

import dynamic from "next/dynamic";
import { useQueryState } from "nuqs";
import type { ReactNode } from "react";
import type { OperatorModel, OperatorModelRevisionList } from "#contract/operator/models.ts";
import { SchemaAndForm } from "@/components/operator/models/schema-and-form";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Tabs } from "@/components/ui/tabs";
import type { GatewayResult } from "@/lib/gateway/result";
import { modelSearchParams } from "./search-params.ts";
import { useEntryEditor } from "./use-entry-editor.ts";

const EntrySettings = dynamic(
  () => import("@/components/operator/models/entry-settings").then((module) => module.EntrySettings),
  { loading: () => null },
);
const RevisionsTable = dynamic(
  () => import("@/components/operator/models/revisions-table").then((module) => module.RevisionsTable),
  { loading: () => null },
);

interface OwnModelProps {
  model: OperatorModel;
  operation: OperatorModel["operations"][number];
  revisions: GatewayResult<OperatorModelRevisionList>;
  baseUrl: string;
  /** The part of the form with the name and who may use it. */
  access: ReactNode;
}

/** An entry that an operator added: its form, settings, access and revisions. */
export function OwnModel({ model, operation, revisions, baseUrl, access }: OwnModelProps) {
  const [tab, setTab] = useQueryState("tab", modelSearchParams.tab);
  const { draft, edit, discard, save, busy, dirty, failure } = useEntryEditor(model, operation);
  return (
    <>
      <Tabs
        label="Model details"
        value={tab}
        onChange={(next) => void setTab(next)}
        tabs={[
          {
            value: "form",
            label: "Form",
            content: <SchemaAndForm model={model} draft={draft} onChange={edit} baseUrl={baseUrl} />,
          },
          {
            value: "settings",
            label: "Settings",
            content: <EntrySettings draft={draft} onChange={edit} />,
          },
          { value: "access", label: "Name and access", content: access },
          {
            value: "revisions",
            label: "Revisions",
            badge: model.revision,
            content: revisions.ok ? (
              <RevisionsTable id={model.id} revisions={revisions.data.data} />
            ) : (
              <ErrorPanel error={revisions.error} />
            ),
          },
        ]}
      />
      {failure && (
        <div className="mt-4">
          <ErrorPanel error={failure} />
        </div>
      )}
      {dirty && (
        <div className="sticky bottom-0 z-10 -mx-4 mt-6 flex flex-wrap items-center gap-2 border-t bg-raised px-4 py-3 max-tablet:bottom-[52px] tablet:-mx-6 tablet:px-6">
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            Save changes
          </Button>
          <Button onClick={discard}>Discard</Button>
          <span className="text-meta text-muted">
            Running predictions keep the revision they started with.
          </span>
        </div>
      )}
    </>
  );
}
