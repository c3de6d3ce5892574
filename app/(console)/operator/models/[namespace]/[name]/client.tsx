"use client";

import { EllipsisVertical } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { OperatorModel, OperatorModelRevisionList } from "#contract/operator/models.ts";
import { StatusPill } from "@/components/ui/badge";
import { IconButton, LinkButton } from "@/components/ui/button";
import { useReturnToRow } from "@/components/ui/list/use-return-to-row";
import { Menu } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/page/page-header";
import { Skeleton } from "@/components/ui/page/skeleton";
import { formatCount } from "@/lib/format";
import type { GatewayResult } from "@/lib/gateway/result";
import { kindLabel } from "@/lib/operator/provider-labels";
import { visibilityLook } from "@/lib/status/operator";

const OwnModel = dynamic(() => import("./own-model.tsx").then((module) => module.OwnModel), {
  loading: () => <Skeleton className="h-96 w-full" />,
});
const AccessForm = dynamic(
  () => import("@/components/operator/models/access-form").then((module) => module.AccessForm),
  { loading: () => null },
);
const RemoveModelDialog = dynamic(
  () => import("./remove-dialog.tsx").then((module) => module.RemoveModelDialog),
  { ssr: false },
);

interface OperatorModelClientProps {
  model: OperatorModel;
  /** Null for a built-in entry, which has no revisions. */
  revisions: GatewayResult<OperatorModelRevisionList> | null;
  baseUrl: string;
}

/** One entry: its form, its settings, its visibility, and its revisions. */
export function OperatorModelClient({ model, revisions, baseUrl }: OperatorModelClientProps) {
  useReturnToRow("/operator/models");
  const [removing, setRemoving] = useState(false);
  const { id, operations, state, running_predictions: running } = model;
  const own = model.managed_by === "operator";
  const [operation] = operations;
  const look = visibilityLook(model);
  const access = <AccessForm model={model} />;

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
            {model.display_name && (
              <>
                <span className="font-mono">{id}</span>,{" "}
              </>
            )}
            <span className="inline-block first-letter:uppercase">
              {operations.map(({ api_type }) => kindLabel(api_type)).join(", ")}.
            </span>{" "}
            {state === "leaving"
              ? `Leaving: removed when ${formatCount(running, "running prediction")} ${running === 1 ? "has" : "have"} ended.`
              : own
                ? (model.description ?? "")
                : "Built in: can be renamed or hidden."}
          </>
        }
        actions={
          <>
            <LinkButton href={`/operator/mapping?q=${encodeURIComponent(id)}`}>Where it runs</LinkButton>
            {operation && state === "active" && (
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
      {revisions && operation ? (
        <OwnModel
          model={model}
          operation={operation}
          revisions={revisions}
          baseUrl={baseUrl}
          access={access}
        />
      ) : (
        access
      )}
      {removing && <RemoveModelDialog model={model} onClose={() => setRemoving(false)} />}
    </>
  );
}
