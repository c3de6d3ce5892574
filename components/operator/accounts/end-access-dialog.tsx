"use client";

import { useEffect, useState } from "react";
import { accountStateFields, type EndedAccess } from "#contract/operator/constants.ts";
import type { AccessEnd, AccessEnded, OpenAccess } from "#contract/operator/everybody-out.ts";
import { useWords } from "#words";
import { usePreferences } from "@/components/shell/preferences";
import { TextField } from "@/components/ui/form/bound-fields";
import { requiredIn } from "@/components/ui/form/field";
import { SelectField } from "@/components/ui/form/input-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf, settle } from "@/lib/browser/action-answer";
import { formatTime } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";
import type { Words } from "@/messages/words";

/** One account; left out: all accounts. */
export interface EverybodyOutProps {
  account?: { id: string; name: string };
}

type Props = EverybodyOutProps & { what: EndedAccess; onClose: () => void };

/** Says what ends and what keeps working, then ends it. */
export function EndAccessDialog({ what, account, onClose }: Props) {
  const t = useWords("operatorAccounts");
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
  const isSessions = what === "sessions";
  const title = account
    ? t(isSessions ? "endSessionsOf" : "endKeysOf", { name: account.name })
    : t(isSessions ? "endSessionsOfAll" : "endKeysOfAll");
  return (
    <ResourceDialog
      title={title}
      description={isSessions ? t("endsSessions") : t("endsKeys")}
      defaults={{ reason: "", grace_seconds: "0" }}
      submitLabel={isSessions ? t("endAllSessions") : t("endAllPersonalKeys")}
      tone="danger"
      save={({ reason, grace_seconds: grace }) => {
        const body: AccessEnd = {
          ...{ what, reason, ...only },
          ...(what === "personal_keys" && { grace_seconds: Number(grace) }),
        };
        return settle(act("POST /operator/access/end", { body }), (ended) => {
          const hasGrace = (body.grace_seconds ?? 0) > 0;
          toast({
            title: endedText(t, what, ended, hasGrace, (time) => formatTime(time, timeZone, t.language)),
          });
          onClose();
          router.refresh();
        });
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className="text-base">{isSessions ? t("leavesKeys") : t("leavesSessions")}</p>
          <p className="text-table text-muted" aria-live="polite">
            {open === null ? t("counting") : open.ok ? countsOf(t, open.data) : null}
          </p>
          {open?.ok === false && <ErrorPanel error={open.error} />}
          {what === "sessions" && <p className="text-table text-muted">{t("yourOwnSessionStays")}</p>}
          {what === "personal_keys" && (
            <SelectField
              label={t("keysEnd")}
              options={[
                ["0", t("atOnce")],
                ["3600", t("inAnHour")],
                ["86400", t("inADay")],
                ["604800", t("inAWeek")],
              ]}
              {...form.register("grace_seconds")}
            />
          )}
          <TextField
            form={form}
            name="reason"
            rule={accountStateFields.reason}
            required={requiredIn<AccessEnd>("reason")}
            label={t("reason")}
            hint={t("theAuditLogOfEach")}
            missing={t("enterWhy")}
          />
        </>
      )}
    </ResourceDialog>
  );
}

function endedText(
  t: Words<"operatorAccounts">,
  what: EndedAccess,
  { sessions, personal_keys, connections, keys_end_at: endAt }: AccessEnded,
  hasGrace: boolean,
  timeText: (time: string) => string,
): string {
  if (what === "sessions") return t("sessionsEnded", { count: sessions });
  const counts = { keys: personal_keys, connections };
  if (!hasGrace || endAt === null) return t("keysEnded", counts);
  return t("keysWillEnd", { ...counts, time: timeText(endAt) });
}

function countsOf(
  t: Words<"operatorAccounts">,
  { sessions, personal_keys: keys, connections, service_keys: serviceKeys }: OpenAccess,
): string {
  return t("openNow", { sessions, keys, connections, serviceKeys });
}
