"use client";

import { useEffect, useRef, useState } from "react";
import type { Resend, ResendCreate } from "#contract/resends.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { eventTypes, type ResendInclude } from "#contract/webhook-constants.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { requiredIn } from "@/components/ui/form/field";
import { FormActions, FormDialog } from "@/components/ui/form/form-dialog";
import { InputField, SelectField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { callRoute } from "@/lib/browser/gateway";
import type { GatewayFailure } from "@/lib/gateway/result";
import { type EachResult, runEach } from "@/lib/run-each";
import { periods, type ResendValues, rateProblem, resendRequest } from "@/lib/webhooks/endpoint-values";
import type { Words } from "@/messages/words";

interface ResendDialogProps {
  endpoints: readonly Endpoint[];
  onClose: () => void;
  /** Called with the started resends, and the endpoints that refused one. */
  onStarted: (started: EachResult<Endpoint, Resend>) => void;
}

/** After a change, the events are counted again at most this often. */
const countAfterMs = 300;

/**
 * Sends the events of a period again. First shows how many events there are, and how many can no longer be
 * sent. For several endpoints the dialog counts and starts one resend after the other.
 */
export function ResendDialog({ endpoints, onClose, onStarted }: ResendDialogProps) {
  const t = useWords("webhooks");
  const [values, setValues] = useState<ResendValues>({
    period: "24h",
    from: "",
    type: "",
    include: "missed",
    rate: "",
  });
  const [counted, setCounted] = useState<Count | GatewayFailure | null>(null);
  const { busy, failure, send } = useSend();
  const request = resendRequest(values, Date.now());
  const problem = rateProblem(t, values.rate);
  const set = (change: Partial<ResendValues>) => setValues({ ...values, ...change });
  const resendEach = (to: readonly Endpoint[], body: ResendCreate, signal: AbortSignal) =>
    runEach(
      to,
      ({ id }) => callRoute("POST /webhooks/endpoints/{id}/resend", { params: { id }, body, signal }),
      { signal },
    );
  const count = useRef((body: ResendCreate, signal: AbortSignal) => resendEach(endpoints, body, signal));
  // The times derived from a choice such as “the last hour” change every second, so the choice itself is
  // compared.
  const choice = JSON.stringify(values);

  useEffect(() => {
    setCounted(null);
    const aborted = new AbortController();
    const chosen = resendRequest(JSON.parse(choice) as ResendValues, Date.now());
    if (!chosen) return;
    const timer = setTimeout(async () => {
      const counted = await count.current({ ...chosen, dry_run: true }, aborted.signal);
      if (aborted.signal.aborted) return;
      setCounted(failureIn(counted) ?? sumOf(counted));
    }, countAfterMs);
    return () => {
      clearTimeout(timer);
      aborted.abort();
    };
  }, [choice]);

  const counts = counted && "total" in counted ? counted : null;
  const begin = async () => {
    if (!request || problem || !counts) return;
    const answer = await send<EachResult<Endpoint, Resend>>(async () => {
      const started = await resendEach(counts.endpoints, request, new AbortController().signal);
      const error = started.done.length === 0 ? failureIn(started) : null;
      return error ? { ok: false, error } : { ok: true, data: started };
    });
    if (!answer.ok) return;
    onStarted(answer.data);
    onClose();
  };

  const wrong = failure ?? (counted && "code" in counted ? counted : null);
  return (
    <FormDialog
      open
      busy={busy}
      onClose={onClose}
      title={t("sendEventsAgain")}
      description={t("sendsTheSameEvents", { endpoints: endpoints.length })}
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
            label={t("since")}
            value={values.period}
            onValue={(period) => set({ period })}
            options={periods.map(({ value, label }) => [value, t(label)])}
          />
          {values.period === "from" && (
            <InputField
              label={t("from")}
              required={requiredIn<ResendCreate>("since")}
              type="datetime-local"
              value={values.from}
              onValue={(from) => set({ from })}
            />
          )}
          <SelectField
            label={t("type")}
            value={values.type}
            onValue={(type) => set({ type })}
            options={[["", t("allTypes")], ...eventTypes]}
          />
        </div>
        <RadioGroup<ResendInclude>
          legend={t("whichEvents")}
          value={values.include}
          onChange={(include) => set({ include })}
          options={[
            {
              value: "missed",
              label: t("onlyMissedEvents"),
              hint: t("deadLettersAndDroppedDeliveries"),
            },
            { value: "all", label: t("allEvents"), hint: t("alsoEventsThatTheEndpoint") },
          ]}
        />
        <InputField
          label={t("atMostPerSecond")}
          hint={t("ifEmptyAsFastAs")}
          error={problem ?? undefined}
          className="max-w-72"
          inputMode="numeric"
          placeholder={t("noLimit")}
          value={values.rate}
          onValue={(rate) => set({ rate })}
        />
        <p role="status" className="min-h-6 rounded-control bg-sunken px-3 py-2 text-table text-ink">
          {counts
            ? countText(t, counts)
            : wrong
              ? t("theEventsCouldNotBe")
              : request
                ? t("counting")
                : t("chooseATime")}
        </p>
        {wrong && <ErrorPanel error={wrong} />}
        <FormActions>
          <Button onClick={onClose} disabled={busy}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" busy={busy} disabled={!counts || counts.total === 0}>
            {counts && counts.total > 0 ? t("sendCountAgain", { count: counts.total }) : t("sendAgain")}
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}

interface Count extends Pick<Resend, "total" | "gone"> {
  /** The endpoints that have events to send. */
  endpoints: readonly Endpoint[];
}

function sumOf({ done }: EachResult<Endpoint, Resend>): Count {
  const sum = (name: "total" | "gone") => done.reduce((all, { data }) => all + data[name], 0);
  const endpoints = done.flatMap(({ item, data }) => (data.total > 0 ? [item] : []));
  return { total: sum("total"), gone: sum("gone"), endpoints };
}

function failureIn({ error, refused }: EachResult<Endpoint, Resend>): GatewayFailure | null {
  return error ?? refused[0]?.error ?? null;
}

function countText(t: Words<"webhooks">, { total, gone }: Count): string {
  const sent = t("eventsWillBeSent", { total });
  return gone === 0 ? sent : `${sent} ${t("eventsAreLost", { gone })}`;
}
