"use client";

import { useQuery } from "@tanstack/react-query";
import { accountLimitFields, keyRates } from "#contract/accounts/constants.ts";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { OperatorKey } from "#contract/operator/keys.ts";
import { useWords } from "#words";
import { NumberField, TextField } from "@/components/ui/form/bound-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { useToast } from "@/components/ui/toast";
import { settle } from "@/lib/browser/action-answer";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { act } from "@/lib/gateway/act";

interface Values {
  requests_per_minute: string;
  max_concurrency: string;
  reason: string;
}

interface DialogProps {
  onClose: () => void;
  onChanged?: () => void;
}

const numberOf = (text: string) => (text.trim() === "" ? null : Number(text));
const textOf = (limit: number | null | undefined) => String(limit ?? "");

/** The rate and the places of an account's own key. */
export function LimitKeyDialog({ apiKey, onClose, onChanged }: DialogProps & { apiKey: ApiKey }) {
  const t = useWords("keys");
  const { toast } = useToast();
  return (
    <ResourceDialog<Values>
      title={t("limitsOfName", { name: apiKey.name })}
      description={t("theyApplyWithinASecond")}
      defaults={{
        requests_per_minute: textOf(apiKey.requests_per_minute),
        max_concurrency: textOf(apiKey.max_concurrency),
        reason: "",
      }}
      submitLabel={t("saveLimits")}
      save={(values) => {
        const body = {
          requests_per_minute: numberOf(values.requests_per_minute),
          max_concurrency: numberOf(values.max_concurrency),
        };
        return settle(act("PATCH /keys/{id}", { params: { id: apiKey.id }, body }), () => {
          toast({ title: t("limitsChanged") });
          onClose();
          onChanged?.();
        });
      }}
      onClose={onClose}
    >
      {(form) => <Numbers form={form} />}
    </ResourceDialog>
  );
}

function Numbers({
  form,
  usual,
}: {
  form: Parameters<typeof NumberField<Values>>[0]["form"];
  usual?: OperatorKey;
}) {
  const t = useWords("keys");
  return (
    <div className="grid gap-3 phone:grid-cols-2">
      <NumberField
        form={form}
        name="requests_per_minute"
        label={t("requestsPerMinute")}
        bounds={keyRates.requests_per_minute}
        placeholder={usual && String(usual.requests_per_minute)}
      />
      <NumberField
        form={form}
        name="max_concurrency"
        label={t("concurrentRequests")}
        bounds={keyRates.max_concurrency}
        placeholder={usual && String(usual.max_concurrency)}
      />
    </div>
  );
}

/** What an operator limits a key of any account to. */
export function OperatorKeyDialog({ id, onClose }: DialogProps & { id: string }) {
  const t = useWords("keys");
  const { toast } = useToast();
  const { data: key } = useQuery({
    queryKey: ["operator", "key", id],
    queryFn: ({ signal }) => fetchRoute("GET /operator/keys/{id}", { params: { id }, signal }),
    gcTime: 0,
  });
  if (!key) return null;
  const limits = key.operator_limits;
  return (
    <ResourceDialog<Values>
      title={t("limitName", { name: key.name })}
      description={t("aKeyOfAccountnameThe", { accountname: key.account_name })}
      defaults={{
        requests_per_minute: textOf(limits?.requests_per_minute),
        max_concurrency: textOf(limits?.max_concurrency),
        reason: limits?.reason ?? "",
      }}
      submitLabel={t("limitKey")}
      save={(values) => {
        const body = {
          requests_per_minute: numberOf(values.requests_per_minute),
          max_concurrency: numberOf(values.max_concurrency),
          reason: values.reason.trim(),
        };
        return settle(act("PUT /operator/keys/{id}/limits", { params: { id }, body }), () => {
          toast({ title: t("keyLimited") });
          onClose();
        });
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Numbers form={form} usual={key} />
          <TextField
            form={form}
            name="reason"
            rule={accountLimitFields.reason}
            label={t("reason")}
            hint={t("membersOfTheAccountSee")}
            missing={t("enterWhyTheKeyIs")}
          />
        </>
      )}
    </ResourceDialog>
  );
}
