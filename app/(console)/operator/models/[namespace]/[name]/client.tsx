"use client";

import { EllipsisVertical } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { OperatorModel, OperatorModelRevisionList } from "#contract/operator/models.ts";
import { useWords } from "#words";
import { StatusPill } from "@/components/ui/badge";
import { IconButton, LinkButton } from "@/components/ui/button";
import { useReturnToRow } from "@/components/ui/list/use-return-to-row";
import { Menu } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/page/page-header";
import { Skeleton } from "@/components/ui/page/skeleton";
import type { GatewayResult } from "@/lib/gateway/result";
import { kindsText } from "@/lib/operator/provider-labels";
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
  const t = useWords("operatorModels");
  const shared = useWords("operator");
  useReturnToRow("/operator/models");
  const [removing, setRemoving] = useState(false);
  const { id, operations, state, running_predictions: running } = model;
  const own = model.managed_by === "operator";
  const [operation] = operations;
  const look = visibilityLook(shared, model);
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
              {t("kindsSentence", {
                kinds: kindsText(
                  shared,
                  operations.map(({ api_type }) => api_type),
                ),
              })}
            </span>{" "}
            {state === "leaving"
              ? t("leavingUntil", { count: running })
              : own
                ? (model.description ?? "")
                : t("builtInCanBeRenamed")}
          </>
        }
        actions={
          <>
            <LinkButton href={`/operator/mapping?q=${encodeURIComponent(id)}`}>{t("whereItRuns")}</LinkButton>
            {operation && state === "active" && (
              <LinkButton variant="primary" href={`/playground/${id}/${operation.api_type}`}>
                {t("openInThePlayground")}
              </LinkButton>
            )}
            {own && state === "active" && (
              <Menu
                label={t("moreActions")}
                trigger={
                  <IconButton label={t("moreActions")} icon={<EllipsisVertical size={16} aria-hidden />} />
                }
                items={[{ label: t("remove"), tone: "bad", onSelect: () => setRemoving(true) }]}
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
