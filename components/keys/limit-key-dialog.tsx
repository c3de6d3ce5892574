"use client";

import { useQuery } from "@tanstack/react-query";
import { accountLimitFields, keyRates } from "#contract/accounts/constants.ts";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { OperatorKey } from "#contract/operator/keys.ts";
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
  const { toast } = useToast();
  return (
    <ResourceDialog<Values>
      title={`Limits of ${apiKey.name}`}
      description="They apply within a second. Leave a field empty for the limit of the installation."
      defaults={{
        requests_per_minute: textOf(apiKey.requests_per_minute),
        max_concurrency: textOf(apiKey.max_concurrency),
        reason: "",
      }}
      submitLabel="Save limits"
      save={(values) => {
        const body = {
          requests_per_minute: numberOf(values.requests_per_minute),
          max_concurrency: numberOf(values.max_concurrency),
        };
        return settle(act("PATCH /keys/{id}", { params: { id: apiKey.id }, body }), () => {
          toast({ title: "Limits changed" });
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
  return (
    <div className="grid gap-3 phone:grid-cols-2">
      <NumberField
        form={form}
        name="requests_per_minute"
        label="Requests per minute"
        bounds={keyRates.requests_per_minute}
        placeholder={usual && String(usual.requests_per_minute)}
      />
      <NumberField
        form={form}
        name="max_concurrency"
        label="Concurrent requests"
        bounds={keyRates.max_concurrency}
        placeholder={usual && String(usual.max_concurrency)}
      />
    </div>
  );
}

/** What an operator limits a key of any account to. */
export function OperatorKeyDialog({ id, onClose }: DialogProps & { id: string }) {
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
      title={`Limit ${key.name}`}
      description={`A key of ${key.account_name}. The lower one of this and its own limit holds, within a second. Leave a field empty for no limit by operators.`}
      defaults={{
        requests_per_minute: textOf(limits?.requests_per_minute),
        max_concurrency: textOf(limits?.max_concurrency),
        reason: limits?.reason ?? "",
      }}
      submitLabel="Limit key"
      save={(values) => {
        const body = {
          requests_per_minute: numberOf(values.requests_per_minute),
          max_concurrency: numberOf(values.max_concurrency),
          reason: values.reason.trim(),
        };
        return settle(act("PUT /operator/keys/{id}/limits", { params: { id }, body }), () => {
          toast({ title: "Key limited" });
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
            label="Reason"
            hint="Members of the account see it with the key and in their audit log."
            missing="Enter why the key is limited."
          />
        </>
      )}
    </ResourceDialog>
  );
}
