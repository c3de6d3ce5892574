"use client";

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import type {
  AccountExport,
  AccountExportCreate,
  AccountExportPart,
} from "#contract/accounts/account-export.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/bound-fields";
import { requiredIn } from "@/components/ui/form/field";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePlace } from "@/components/ui/page/link";
import { Skeleton } from "@/components/ui/page/skeleton";
import { Progress } from "@/components/ui/progress";
import { Time } from "@/components/ui/time";
import { settle } from "@/lib/browser/action-answer";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { saveFrom } from "@/lib/browser/save-file";
import { formatBytes } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { accountInAddress } from "@/lib/paths";

export interface ExportAccountProps {
  accountName: string;
}

/** Parts that are being downloaded show that they have arrived within this time. */
const askAgainMs = 3_000;

/** Begins an export of the account, and lists its parts. */
export function ExportAccountDialog({ accountName, onClose }: ExportAccountProps & { onClose: () => void }) {
  const t = useWords("settings");
  const ui = useWords("ui");
  const [beginsAgain, setBeginsAgain] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["account export"],
    queryFn: ({ signal }) => fetchRoute("GET /account/export", { signal }),
    refetchInterval: askAgainMs,
  });
  const failure = failureBehind(error);
  if (data && (beginsAgain || !data.export))
    return (
      <BeginDialog
        accountName={accountName}
        state={data}
        onBegun={() => {
          setBeginsAgain(false);
          void refetch();
        }}
        onChanged={refetch}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("exportOf", { name: accountName })}
      footer={<Button onClick={onClose}>{ui("close")}</Button>}
    >
      {data?.export ? (
        <div className="space-y-4">
          <Parts begun={data.export} />
          <Button size="sm" onClick={() => setBeginsAgain(true)}>
            {t("beginANewExport")}
          </Button>
          <OperatorConsent state={data} onChanged={refetch} />
        </div>
      ) : failure ? (
        <ErrorPanel error={failure} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-36" />
      )}
    </Dialog>
  );
}

interface BeginDialogProps extends ExportAccountProps {
  state: AccountExport;
  onBegun: () => void;
  onChanged: () => unknown;
  onClose: () => void;
}

function BeginDialog({ accountName, state, onBegun, onChanged, onClose }: BeginDialogProps) {
  const t = useWords("settings");
  return (
    <ResourceDialog
      title={t("exportName", { name: accountName })}
      description={t("allRowsAsJsonlAll")}
      defaults={{ name: "" }}
      submitLabel={t("beginTheExport")}
      save={(body) => settle(act("POST /account/export", { body }), onBegun)}
      onClose={onClose}
    >
      {(form) => (
        <>
          {state.export && <p>{t("thePartsOfTheLast")}</p>}
          <TextField
            form={form}
            name="name"
            label={t.rich(
              "typeToConfirm",
              { name: accountName },
              {
                b: (text) => (
                  <span key="name" className="font-semibold wrap-anywhere">
                    {text}
                  </span>
                ),
              },
            )}
            required={requiredIn<AccountExportCreate>("name")}
            check={(name) => name.trim() === accountName.trim() || t("notTheName")}
          />
          <OperatorConsent state={state} onChanged={onChanged} />
        </>
      )}
    </ResourceDialog>
  );
}

function Parts({ begun }: { begun: NonNullable<AccountExport["export"]> }) {
  const t = useWords("settings");
  const { parts, rows, file_bytes: bytes } = begun;
  const sent = parts.filter(({ sent_at }) => sent_at !== null).length;
  return (
    <>
      <p>
        {t.rich(
          "exportFacts",
          {
            rows,
            size: formatBytes(bytes),
            isNamed: begun.begun_by ? "yes" : "no",
            by: begun.begun_by?.name ?? "",
          },
          {
            begun: () => <Time key="begun" value={begun.begun_at} mode="absolute" />,
            until: () => <Time key="until" value={begun.expires_at} mode="absolute" />,
          },
        )}
      </p>
      {parts.length > 1 && <p className="text-muted">{t("downloadOnePartAfterThe")}</p>}
      <Progress value={sent / parts.length} label={t("partsDownloaded", { sent, count: parts.length })} />
      <ul className="divide-y border-y">
        {parts.map((part) => (
          <Part key={part.number} part={part} of={parts.length} />
        ))}
      </ul>
    </>
  );
}

function Part({
  part: { number, rows, file_bytes: bytes, sent_at: sentAt },
  of,
}: {
  part: AccountExportPart;
  of: number;
}) {
  const t = useWords("settings");
  const { accountId } = usePlace();
  const account = accountId ? `?${accountInAddress}=${accountId}` : "";
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="min-w-0 grow">
        {t("partOf", { number, count: of })}
        <span className="block text-table text-muted">
          {t("partFacts", { rows, hasFiles: bytes > 0 ? "yes" : "no", size: formatBytes(bytes) })}
          {sentAt && t.rich("partDownloaded", {}, { time: () => <Time key="time" value={sentAt} /> })}
        </span>
      </span>
      <Button
        size="sm"
        icon={<Download size={14} aria-hidden />}
        aria-label={t("downloadPart", { number })}
        onClick={() => saveFrom(`/api/gateway/account/export/parts/${number}${account}`)}
      >
        {t("download")}
      </Button>
    </li>
  );
}

const dayMs = 86_400_000;

/** Whether operators may export the account on the machine, with its contents. */
function OperatorConsent({ state, onChanged }: { state: AccountExport; onChanged: () => unknown }) {
  const t = useWords("settings");
  const { failure, attempt } = useSend();
  const allow = (days: number | null) => {
    const until = days === null ? null : new Date(Date.now() + days * dayMs).toISOString();
    return attempt(() => settle(act("PUT /account/export/operator", { body: { until } }), onChanged));
  };
  return (
    <section aria-label={t("exportByAnOperator")} className="space-y-2 border-t pt-3">
      <p>
        {state.operator_until
          ? t.rich(
              "operatorsMayExport",
              {},
              { time: () => <Time key="until" value={state.operator_until ?? ""} mode="absolute" /> },
            )
          : t("operatorsCannotExportTheContents")}
      </p>
      <div className="flex flex-wrap gap-2">
        {state.operator_until ? (
          <Button size="sm" onClick={() => void allow(null)}>
            {t("withdraw")}
          </Button>
        ) : (
          <>
            <Button size="sm" onClick={() => void allow(1)}>
              {t("allowForADay")}
            </Button>
            <Button size="sm" onClick={() => void allow(3)}>
              {t("allowForThreeDays")}
            </Button>
          </>
        )}
      </div>
      {failure && <ErrorPanel error={failure} />}
    </section>
  );
}
