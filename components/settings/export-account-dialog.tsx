"use client";

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import type {
  AccountExport,
  AccountExportCreate,
  AccountExportPart,
} from "#contract/accounts/account-export.ts";
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
import { formatBytes, formatCount, formatNumber } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { accountInAddress } from "@/lib/paths";

export interface ExportAccountProps {
  accountName: string;
}

/** Parts that are being downloaded show that they have arrived within this time. */
const askAgainMs = 3_000;

/** Begins an export of the account, and lists its parts. */
export function ExportAccountDialog({ accountName, onClose }: ExportAccountProps & { onClose: () => void }) {
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
      title={`Export of ${accountName}`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {data?.export ? (
        <div className="space-y-4">
          <Parts begun={data.export} />
          <Button size="sm" onClick={() => setBeginsAgain(true)}>
            Begin a new export…
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
  return (
    <ResourceDialog
      title={`Export ${accountName}`}
      description="All rows as JSONL, all files that are still stored, and the audit log, as ZIP files. Keys, passwords and other secrets are left out."
      defaults={{ name: "" }}
      submitLabel="Begin the export"
      save={(body) => settle(act("POST /account/export", { body }), onBegun)}
      onClose={onClose}
    >
      {(form) => (
        <>
          {state.export && <p>The parts of the last export can then no longer be downloaded.</p>}
          <TextField
            form={form}
            name="name"
            label={
              <>
                Type <span className="font-semibold wrap-anywhere">{accountName}</span> to confirm
              </>
            }
            required={requiredIn<AccountExportCreate>("name")}
            check={(name) => name.trim() === accountName.trim() || "This is not the name of the account."}
          />
          <OperatorConsent state={state} onChanged={onChanged} />
        </>
      )}
    </ResourceDialog>
  );
}

function Parts({ begun }: { begun: NonNullable<AccountExport["export"]> }) {
  const { parts, rows, file_bytes: bytes } = begun;
  const sent = parts.filter(({ sent_at }) => sent_at !== null).length;
  return (
    <>
      <p>
        {formatCount(rows, "row")} and {formatBytes(bytes)} of files, from{" "}
        <Time value={begun.begun_at} mode="absolute" />
        {begun.begun_by && `, begun by ${begun.begun_by.name}`}. You can download them until{" "}
        <Time value={begun.expires_at} mode="absolute" />.
      </p>
      {parts.length > 1 && (
        <p className="text-muted">
          Download one part after the other, and unpack all of them into one folder. If a download breaks off,
          download that part again.
        </p>
      )}
      <Progress value={sent / parts.length} label={`${sent} of ${parts.length} parts downloaded`} />
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
  const { accountId } = usePlace();
  const account = accountId ? `?${accountInAddress}=${accountId}` : "";
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="min-w-0 grow">
        Part {number} of {of}
        <span className="block text-table text-muted">
          {formatCount(rows, "row")}
          {bytes > 0 && `, ${formatBytes(bytes)} of files`}
          {sentAt && (
            <>
              {" · downloaded "}
              <Time value={sentAt} />
            </>
          )}
        </span>
      </span>
      <Button
        size="sm"
        icon={<Download size={14} aria-hidden />}
        aria-label={`Download part ${formatNumber(number)}`}
        onClick={() => saveFrom(`/api/gateway/account/export/parts/${number}${account}`)}
      >
        Download
      </Button>
    </li>
  );
}

const dayMs = 86_400_000;

/** Whether operators may export the account on the machine, with its contents. */
function OperatorConsent({ state, onChanged }: { state: AccountExport; onChanged: () => unknown }) {
  const { failure, attempt } = useSend();
  const allow = (days: number | null) => {
    const until = days === null ? null : new Date(Date.now() + days * dayMs).toISOString();
    return attempt(() => settle(act("PUT /account/export/operator", { body: { until } }), onChanged));
  };
  return (
    <section aria-label="Export by an operator" className="space-y-2 border-t pt-3">
      <p>
        {state.operator_until ? (
          <>
            Operators may export this account with its contents until{" "}
            <Time value={state.operator_until} mode="absolute" />.
          </>
        ) : (
          "Operators cannot export the contents of this account. Allow it if they make the export for you."
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        {state.operator_until ? (
          <Button size="sm" onClick={() => void allow(null)}>
            Withdraw
          </Button>
        ) : (
          <>
            <Button size="sm" onClick={() => void allow(1)}>
              Allow for a day
            </Button>
            <Button size="sm" onClick={() => void allow(3)}>
              Allow for three days
            </Button>
          </>
        )}
      </div>
      {failure && <ErrorPanel error={failure} />}
    </section>
  );
}
