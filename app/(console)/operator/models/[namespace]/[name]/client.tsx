"use client";

import { EllipsisVertical } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryState } from "nuqs";
import { useState } from "react";
import type { OperatorModel, OperatorModelRevisionList } from "#contract/operator-models.ts";
import { AccessForm } from "@/components/operator/models/access-form";
import { RevisionsTable } from "@/components/operator/models/revisions-table";
import { useChange } from "@/components/operator/use-change";
import { IconButton, LinkButton } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Menu } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { StatusPill } from "@/components/ui/status-pill";
import { Tabs } from "@/components/ui/tabs";
import { useReturnToRow } from "@/components/ui/use-return-to-row";
import { formatCount } from "@/lib/format";
import type { GatewayResult } from "@/lib/gateway/result";
import { changeModel } from "@/lib/operator/model-actions";
import { kindWord } from "@/lib/operator/provider-words";
import { visibilityLook } from "@/lib/status/own-model";
import { modelSearchParams } from "./search-params.ts";

const ModelEditor = dynamic(
  () => import("@/components/operator/models/model-editor").then((module) => module.ModelEditor),
  { loading: () => <Skeleton className="h-96 w-full" /> },
);
const RemoveModelDialog = dynamic(
  () => import("./remove-dialog").then((module) => module.RemoveModelDialog),
  {
    ssr: false,
  },
);

interface OperatorModelClientProps {
  model: OperatorModel;
  /** Null for an entry of the specification, which has none. */
  revisions: GatewayResult<OperatorModelRevisionList> | null;
  baseUrl: string;
}

/** One entry: its form and settings, who may use it, and what it was before. */
export function OperatorModelClient({ model, revisions, baseUrl }: OperatorModelClientProps) {
  useReturnToRow("/operator/models");
  const [tab, setTab] = useQueryState("tab", modelSearchParams.tab);
  const [removing, setRemoving] = useState(false);
  const { change } = useChange();
  const { id, operations, state, running_predictions: running } = model;
  const own = model.managed_by === "operator";
  const [operation] = operations;
  const look = visibilityLook(model);
  const access = {
    value: "access" as const,
    label: "Name and access",
    content: <AccessForm model={model} submit={(body, said) => change(changeModel(id, body), said)} />,
  };

  return (
    <>
      <PageHeader
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere">{model.display_name ?? id}</span>{" "}
            <StatusPill {...look} title={look.meaning} />
          </span>
        }
        description={
          <>
            <span className="font-mono">{id}</span>,{" "}
            {operations.map(({ api_type }) => kindWord(api_type)).join(", ")}.{" "}
            {state === "leaving"
              ? `It takes no new runs and goes when ${formatCount(running, "running prediction")} ${running === 1 ? "has" : "have"} ended.`
              : own
                ? (model.description ?? "")
                : "An entry of the specification: it can be renamed for people and hidden, but not changed."}
          </>
        }
        actions={
          <>
            <LinkButton href={`/operator/routes?q=${encodeURIComponent(id)}`}>Where it runs</LinkButton>
            {operation && (
              <LinkButton variant="primary" href={`/playground/${id}/${operation.api_type}`}>
                Open in the playground
              </LinkButton>
            )}
            {own && state === "active" && (
              <Menu
                label="More actions"
                trigger={
                  <IconButton label="More actions" icon={<EllipsisVertical size={16} aria-hidden />} />
                }
                items={[{ label: "Remove…", tone: "bad", onSelect: () => setRemoving(true) }]}
              />
            )}
          </>
        }
      />
      {own && operation ? (
        <Tabs
          label="Model details"
          value={tab}
          onChange={(next) => void setTab(next)}
          tabs={[
            {
              value: "form",
              label: "Form and settings",
              content: <ModelEditor model={model} operation={operation} baseUrl={baseUrl} />,
            },
            access,
            {
              value: "revisions",
              label: "Revisions",
              badge: model.revision,
              content: revisions?.ok ? (
                <RevisionsTable id={id} revisions={revisions.data.data} />
              ) : (
                revisions && <ErrorPanel error={revisions.error} />
              ),
            },
          ]}
        />
      ) : (
        access.content
      )}
      {removing && <RemoveModelDialog model={model} onClose={() => setRemoving(false)} />}
    </>
  );
}
