"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Resend } from "#contract/resends.ts";
import { eventTypes, type ResendInclude } from "#contract/webhook-constants.ts";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { Input, Select } from "@/components/ui/form/input";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { callRoute } from "@/lib/browser/gateway";
import { formatCount } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { rateProblem } from "@/lib/webhooks/endpoint-values";
import { periods, type ResendValues, resendRequest } from "@/lib/webhooks/resend-values";

interface ResendDialogProps {
  endpointId: string;
  onClose: () => void;
  onStarted: () => void;
}

/** Counted again after a change, at most this often. */
const countAfterMs = 300;

/** Sends the events of a period again: first it says how many, and how many are gone. */
export function ResendDialog({ endpointId, onClose, onStarted }: ResendDialogProps) {
  const queryClient = useQueryClient();
  const [values, setValues] = useState<ResendValues>({
    period: "24h",
    from: "",
    type: "",
    include: "missed",
    rate: "",
  });
  const [counted, setCounted] = useState<Resend | GatewayFailure | null>(null);
  const { busy, failure, send } = useSend();
  const request = resendRequest(values, Date.now());
  const problem = rateProblem(values.rate);
  const set = (change: Partial<ResendValues>) => setValues({ ...values, ...change });
  // The clock moves on, so compare the choice and not its times.
  const choice = JSON.stringify(values);

  useEffect(() => {
    setCounted(null);
    const aborted = new AbortController();
    const chosen = resendRequest(JSON.parse(choice) as ResendValues, Date.now());
    if (!chosen) return;
    const timer = setTimeout(async () => {
      const answer = await callRoute("POST /webhooks/endpoints/{id}/resend", {
        params: { id: endpointId },
        body: { ...chosen, dry_run: true },
        signal: aborted.signal,
      });
      if (!aborted.signal.aborted) setCounted(answer.ok ? answer.data : answer.error);
    }, countAfterMs);
    return () => {
      clearTimeout(timer);
      aborted.abort();
    };
  }, [choice, endpointId]);

  const begin = async () => {
    if (!request || problem) return;
    const answer = await send(() =>
      callRoute("POST /webhooks/endpoints/{id}/resend", { params: { id: endpointId }, body: request }),
    );
    if (!answer.ok) return;
    queryClient.setQueryData(queryKeys.resend(endpointId), answer.data);
    onStarted();
    onClose();
  };

  const count = counted && "total" in counted ? counted : null;
  const wrong = failure ?? (counted && "code" in counted ? counted : null);
  return (
    <FormDialog
      open
      busy={busy}
      onClose={onClose}
      title="Send events again"
      description="The same events as new deliveries to this endpoint, in the background. No model runs again."
    >
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        <div className="grid gap-3 phone:grid-cols-2">
          <Field label="Since">
            {(aria) => (
              <Select
                {...aria}
                value={values.period}
                onChange={(event) => set({ period: event.target.value })}
              >
                {periods.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {values.period === "from" && (
            <Field label="From" required>
              {(aria) => (
                <Input
                  {...aria}
                  type="datetime-local"
                  value={values.from}
                  onChange={(event) => set({ from: event.target.value })}
                />
              )}
            </Field>
          )}
          <Field label="Type">
            {(aria) => (
              <Select {...aria} value={values.type} onChange={(event) => set({ type: event.target.value })}>
                <option value="">All types</option>
                {eventTypes.map((type) => (
                  <option key={type} value={type}>
                    {type}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <RadioGroup<ResendInclude>
          legend="Which events"
          value={values.include}
          onChange={(include) => set({ include })}
          options={[
            {
              value: "missed",
              label: "Only missed events",
              hint: "Dead letters and dropped deliveries that it never accepted",
            },
            { value: "all", label: "All of them", hint: "Also events that it has already accepted" },
          ]}
        />
        <Field
          label="At most per second"
          hint="Empty: as fast as the endpoint answers. New events are not held up."
          error={problem ?? undefined}
          className="max-w-72"
        >
          {(aria) => (
            <Input
              {...aria}
              inputMode="numeric"
              placeholder="no limit"
              value={values.rate}
              onChange={(event) => set({ rate: event.target.value })}
            />
          )}
        </Field>
        <p role="status" className="min-h-6 rounded-control bg-sunken px-3 py-2 text-table text-ink">
          {count ? countText(count) : wrong ? "Not counted." : request ? "Counting…" : "Choose a time."}
        </p>
        {wrong && <ErrorPanel error={wrong} />}
        <FormActions>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={busy} disabled={!count || count.total === 0}>
            {count && count.total > 0 ? `Send ${formatCount(count.total, "event")} again` : "Send again"}
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}

function countText({ total, gone }: Resend): string {
  const sent = total === 0 ? "No events to send." : `${formatCount(total, "event")} will be sent.`;
  if (gone === 0) return sent;
  return `${sent} ${formatCount(gone, "event is", "events are")} gone: the payload was removed after its retention time.`;
}
