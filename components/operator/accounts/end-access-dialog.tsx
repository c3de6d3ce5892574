"use client";

import { useEffect, useState } from "react";
import { accountStateFields, type EndedAccess, endedAccessWords } from "#contract/operator/constants.ts";
import type { AccessEnd, AccessEnded, OpenAccess } from "#contract/operator/everybody-out.ts";
import { usePreferences } from "@/components/shell/preferences";
import { TextField } from "@/components/ui/form/bound-fields";
import { requiredIn } from "@/components/ui/form/field";
import { SelectField } from "@/components/ui/form/input-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf, settle } from "@/lib/browser/action-answer";
import { formatCount, formatTime } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";

const titles: Record<EndedAccess, string> = {
  sessions: "End all sessions",
  personal_keys: "End all personal keys",
};

const graceTimes = [
  ["0", "At once"],
  ["3600", "In an hour"],
  ["86400", "In a day"],
  ["604800", "In a week"],
] as const;

/** One account; left out: all accounts. */
export interface EverybodyOutProps {
  account?: { id: string; name: string };
}

type Props = EverybodyOutProps & { what: EndedAccess; onClose: () => void };

/** Says what ends and what keeps working, then ends it. */
export function EndAccessDialog({ what, account, onClose }: Props) {
  const router = usePageRouter();
  const { toast } = useToast();
  const { timeZone } = usePreferences();
  const [open, setOpen] = useState<GatewayResult<OpenAccess> | null>(null);
  const only = account ? { account_id: account.id } : {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: the dialog is opened for one account.
  useEffect(() => {
    let isOpen = true;
    void answerOf(act("GET /operator/access", { query: only })).then((answer) => {
      if (isOpen) setOpen(answer);
    });
    return () => {
      isOpen = false;
    };
  }, []);
  const { ends, leaves } = endedAccessWords[what];
  return (
    <ResourceDialog
      title={`${titles[what]} of ${account ? account.name : "all accounts"}?`}
      description={ends}
      defaults={{ reason: "", grace_seconds: "0" }}
      submitLabel={titles[what]}
      tone="danger"
      save={({ reason, grace_seconds: grace }) => {
        const body: AccessEnd = {
          ...{ what, reason, ...only },
          ...(what === "personal_keys" && { grace_seconds: Number(grace) }),
        };
        return settle(act("POST /operator/access/end", { body }), (ended) => {
          const hasGrace = (body.grace_seconds ?? 0) > 0;
          toast({ title: endedText(what, ended, hasGrace, (time) => formatTime(time, timeZone)) });
          onClose();
          router.refresh();
        });
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className="text-base">{leaves}</p>
          <p className="text-table text-muted" aria-live="polite">
            {open === null ? "Counting…" : open.ok ? countsOf(open.data) : null}
          </p>
          {open?.ok === false && <ErrorPanel error={open.error} />}
          {what === "sessions" && <p className="text-table text-muted">Your own session stays.</p>}
          {what === "personal_keys" && (
            <SelectField label="Keys end" options={graceTimes} {...form.register("grace_seconds")} />
          )}
          <TextField
            form={form}
            name="reason"
            rule={accountStateFields.reason}
            required={requiredIn<AccessEnd>("reason")}
            label="Reason"
            hint="The audit log of each account keeps it."
            missing="Enter why."
          />
        </>
      )}
    </ResourceDialog>
  );
}

function endedText(
  what: EndedAccess,
  { sessions, personal_keys, connections, keys_end_at: endAt }: AccessEnded,
  hasGrace: boolean,
  timeText: (time: string) => string,
): string {
  if (what === "sessions") return `${formatCount(sessions, "session")} ended`;
  const keys = formatCount(personal_keys, "personal key");
  if (!hasGrace || endAt === null) return `${keys} and ${formatCount(connections, "connection")} ended`;
  const end = personal_keys === 1 ? "ends" : "end";
  return `${formatCount(connections, "connection")} ended, ${keys} ${end} ${timeText(endAt)}`;
}

function countsOf({
  sessions,
  personal_keys: keys,
  connections,
  service_keys: serviceKeys,
}: OpenAccess): string {
  return `Open now: ${formatCount(sessions, "session")}, ${formatCount(keys, "personal key")}, ${formatCount(connections, "connection of agents", "connections of agents")}, ${formatCount(serviceKeys, "service key")}.`;
}
