"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Resend, ResendCreate } from "#contract/resends.ts";
import type { BodyOf } from "#contract/routes/client.ts";
import type { Endpoint, EndpointWithSecret } from "#contract/webhook.ts";
import { eventTypes, type ResendInclude } from "#contract/webhook-constants.ts";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, Dialog } from "@/components/ui/dialog";
import { requiredIn } from "@/components/ui/form/field";
import { FormActions, FormDialog } from "@/components/ui/form/form-dialog";
import { InputField, SelectField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { EndpointDialog } from "@/components/webhooks/endpoints/endpoint-dialog";
import { RotateDialog } from "@/components/webhooks/secret/rotate-dialog";
import { SecretDialog } from "@/components/webhooks/secret/secret-dialog";
import { settle } from "@/lib/browser/action-answer";
import { callRoute } from "@/lib/browser/gateway";
import { formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { GatewayFailure } from "@/lib/gateway/result";
import { rotateSecret } from "@/lib/gateway/secret-actions";
import { queryKeys } from "@/lib/query-keys";
import { endpointAddress } from "@/lib/webhooks/addresses";
import {
  changeOf,
  type EndpointValues,
  periods,
  type ResendValues,
  rateProblem,
  resendRequest,
  valuesOfEndpoint,
} from "@/lib/webhooks/endpoint-values";
import { enabledToast, useEndpointChange } from "./use-endpoint-change.ts";

export type EndpointQuestion = "edit" | "rotate" | "enable" | "pause" | "disable" | "resend" | "delete";

interface EndpointDialogsProps {
  open: EndpointQuestion;
  endpoint: Endpoint;
  onClose: () => void;
}

/**
 * The dialogs that change an endpoint. They are loaded together with the dialog for a new secret, so that the
 * secret is shown without delay.
 */
export function EndpointDialogs({ open, endpoint, onClose }: EndpointDialogsProps) {
  const of = { params: { id: endpoint.id } };
  const router = usePageRouter();
  const { toast } = useToast();
  const { busy, failure, change, renew } = useEndpointChange(endpoint.id);
  const [rotated, setRotated] = useState<EndpointWithSecret | null>(null);

  const edit = (values: EndpointValues) =>
    settle(act("PATCH /webhooks/endpoints/{id}", { ...of, body: changeOf(values) }), ({ warning }) => {
      onClose();
      toast({ title: "Endpoint updated", ...(warning && { description: warning.message }) });
      renew();
    });
  const set = (body: BodyOf<"PATCH /webhooks/endpoints/{id}">, done: (endpoint: Endpoint) => void) =>
    change(act("PATCH /webhooks/endpoints/{id}", { ...of, body }), done);
  const enable = (waiting: "send" | "drop") =>
    set({ status: "enabled", waiting }, (enabled) => {
      onClose();
      toast(enabledToast(enabled));
    });
  const disable = () =>
    set({ status: "disabled" }, () => {
      onClose();
      toast({ title: "Endpoint disabled: new events wait" });
    });
  const pause = () =>
    set({ status: "paused" }, () => {
      onClose();
      toast({ title: "Endpoint paused: events wait" });
    });
  const remove = () =>
    change(act("DELETE /webhooks/endpoints/{id}", of), () => router.push("/webhooks/endpoints"), {
      gone: true,
    });

  if (rotated)
    return (
      <SecretDialog
        secret={rotated.secret}
        name="new signing secret"
        envName="WEBHOOK_SECRET"
        note={<RotationNote until={rotated.previous_secret_expires_at} />}
        onDone={onClose}
      />
    );
  switch (open) {
    case "edit":
      return (
        <EndpointDialog
          title="Edit endpoint"
          initial={valuesOfEndpoint(endpoint)}
          submitLabel="Save changes"
          save={edit}
          onClose={onClose}
        />
      );
    case "rotate":
      return (
        <RotateDialog
          open
          busy={busy}
          failure={failure}
          onClose={onClose}
          onRotate={(overlapSeconds) => change(rotateSecret(endpoint.id, overlapSeconds), setRotated)}
        />
      );
    case "enable":
      return (
        <EnableDialog
          waiting={endpoint.waiting_deliveries ?? 0}
          busy={busy}
          failure={failure}
          onClose={onClose}
          onEnable={enable}
        />
      );
    case "resend":
      return <ResendDialog endpointId={endpoint.id} onClose={onClose} onStarted={renew} />;
    case "pause":
      return (
        <ConfirmDialog
          open
          onOpenChange={onClose}
          title="Pause this endpoint?"
          body="Its deliveries and new events wait, but no longer than their retention time. When you resume the endpoint, they are sent, oldest first."
          confirmLabel="Pause"
          busy={busy}
          failure={failure}
          onConfirm={pause}
        />
      );
    case "disable":
      return (
        <ConfirmDialog
          open
          onOpenChange={onClose}
          title="Disable this endpoint?"
          body="The gateway sends nothing to this endpoint until you enable it again. Its deliveries and new events wait until then, but no longer than their retention time."
          confirmLabel="Disable"
          busy={busy}
          failure={failure}
          onConfirm={disable}
        />
      );
    case "delete":
      return (
        <ConfirmDialog
          open
          onOpenChange={onClose}
          title="Delete this endpoint?"
          body={`${endpointAddress(endpoint.url)} will receive no more events. Waiting deliveries are canceled and the signing secret stops working. Past deliveries stay in the log. This cannot be undone.`}
          confirmLabel="Delete endpoint"
          tone="bad"
          busy={busy}
          failure={failure}
          onConfirm={remove}
        />
      );
  }
}

interface ResendDialogProps {
  endpointId: string;
  onClose: () => void;
  onStarted: () => void;
}

/** After a change, the events are counted again at most this often. */
const countAfterMs = 300;

/**
 * Sends the events of a period again. First shows how many events there are, and how many can no longer be
 * sent.
 */
function ResendDialog({ endpointId, onClose, onStarted }: ResendDialogProps) {
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
  // The times derived from a choice such as “the last hour” change every second, so the choice itself is
  // compared.
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
      description="Sends the same events as new deliveries to this endpoint, in the background. No model runs again."
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
          <SelectField
            label="Since"
            value={values.period}
            onValue={(period) => set({ period })}
            options={periods.map(({ value, label }) => [value, label])}
          />
          {values.period === "from" && (
            <InputField
              label="From"
              required={requiredIn<ResendCreate>("since")}
              type="datetime-local"
              value={values.from}
              onValue={(from) => set({ from })}
            />
          )}
          <SelectField
            label="Type"
            value={values.type}
            onValue={(type) => set({ type })}
            options={[["", "All types"], ...eventTypes]}
          />
        </div>
        <RadioGroup<ResendInclude>
          legend="Which events"
          value={values.include}
          onChange={(include) => set({ include })}
          options={[
            {
              value: "missed",
              label: "Only missed events",
              hint: "Dead letters and dropped deliveries that the endpoint never accepted",
            },
            { value: "all", label: "All events", hint: "Also events that the endpoint has already accepted" },
          ]}
        />
        <InputField
          label="At most per second"
          hint="If empty, as fast as the endpoint answers. New events are not delayed."
          error={problem ?? undefined}
          className="max-w-72"
          inputMode="numeric"
          placeholder="no limit"
          value={values.rate}
          onValue={(rate) => set({ rate })}
        />
        <p role="status" className="min-h-6 rounded-control bg-sunken px-3 py-2 text-table text-ink">
          {count
            ? countText(count)
            : wrong
              ? "The events could not be counted."
              : request
                ? "Counting…"
                : "Choose a time."}
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
  return `${sent} ${formatCount(gone, "event is", "events are")} lost, because the payload was removed after its retention time.`;
}

interface EnableDialogProps {
  waiting: number;
  busy: boolean;
  failure: GatewayFailure | null;
  onClose: () => void;
  onEnable: (waiting: "send" | "drop") => void;
}

/** Asks what to do with deliveries that waited while the endpoint was disabled. */
function EnableDialog({ waiting, busy, failure, onClose, onEnable }: EnableDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      title="Enable this endpoint?"
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="danger" busy={busy} onClick={() => onEnable("drop")}>
            Enable and drop
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onEnable("send")}>
            Enable and send
          </Button>
        </>
      }
    >
      <div className="space-y-3 text-base text-ink">
        <p>
          {formatCount(waiting, "delivery waits", "deliveries wait")} for this endpoint. Send them now, oldest
          first, or drop them. Dropped deliveries stay in the log as canceled and cannot be retried.
        </p>
        {failure && <ErrorPanel error={failure} />}
      </div>
    </Dialog>
  );
}

/** How long the previous secret keeps working. */
function RotationNote({ until }: { until: string | null }) {
  if (until === null || Date.parse(until) <= Date.now()) {
    return <p>The old secret is no longer valid. Update your receiver with the new one now.</p>;
  }
  return (
    <p>
      The old secret stays valid until <Time value={until} mode="absolute" />. Update your receiver with the
      new one before then.
    </p>
  );
}
