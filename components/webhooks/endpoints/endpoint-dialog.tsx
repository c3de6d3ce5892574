"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useId, useState } from "react";
import {
  type Control,
  Controller,
  type UseFormRegister,
  type UseFormReturn,
  useFieldArray,
} from "react-hook-form";
import { countCharacters } from "#contract/characters.ts";
import { pageLimit } from "#contract/list-constants.ts";
import { endpointFields, ownHeaderLimits, subscribableEventTypes } from "#contract/webhook-constants.ts";
import { CheckList } from "@/components/keys/check-list";
import { useAccess } from "@/components/team/access";
import { Button, IconButton } from "@/components/ui/button";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Input } from "@/components/ui/form/input";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatNumber } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { type EndpointValues, emptyEndpoint, rateProblem } from "@/lib/webhooks/endpoint-values";

interface EndpointDialogProps {
  title: string;
  description?: string;
  initial?: EndpointValues;
  submitLabel: string;
  /** Resolves to the failure to show, or null on success. */
  save: (values: EndpointValues) => Promise<GatewayFailure | null>;
  onClose: () => void;
}

export function EndpointDialog({ initial, save, ...rest }: EndpointDialogProps) {
  return (
    <ResourceDialog<EndpointValues>
      {...rest}
      defaults={initial ?? emptyEndpoint}
      save={async (values) => {
        const error = await save(values);
        return error?.code === "invalid_webhook_url" ? { ...error, param: "url" } : error;
      }}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="url"
            rule={{ minLength: endpointFields.url.minLength }}
            label="URL"
            hint="An HTTPS URL. Redirects are not followed."
            missing="Enter the URL of your receiver, starting with https://"
            check={(url) => tooLong(url.trim())}
            type="url"
            inputMode="url"
            spellCheck={false}
            placeholder="https://example.com/hooks/gatehouse"
          />
          <TextField form={form} name="description" rule={endpointFields.description} label="Description" />
          <Chosen form={form} name="events" missing="Choose at least one event.">
            {(field) => <EventChoice {...field} />}
          </Chosen>
          <EndpointOptions form={form} />
        </>
      )}
    </ResourceDialog>
  );
}

/** Checked here, because an input with a maximum silently cuts pasted text. */
function tooLong(url: string): string | true {
  const characters = countCharacters(url);
  if (characters <= endpointFields.url.maxLength) return true;
  return `Use at most ${formatNumber(endpointFields.url.maxLength)} characters; this URL has ${formatNumber(characters)}.`;
}

type EventName = (typeof subscribableEventTypes)[number];

interface EventChoiceProps {
  value: EventName[];
  onChange: (events: EventName[]) => void;
  error?: string | undefined;
}

/** The choice of the events that the endpoint receives. */
function EventChoice({ value, onChange, error }: EventChoiceProps) {
  const errorId = useId();
  const toggle = (event: EventName, on: boolean) =>
    onChange(subscribableEventTypes.filter((each) => (each === event ? on : value.includes(each))));
  return (
    <fieldset aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1 text-table font-medium text-ink">Events</legend>
      <div className="flex flex-col">
        {subscribableEventTypes.map((event) => (
          <Checkbox
            key={event}
            label={<code className="text-table">{event}</code>}
            checked={value.includes(event)}
            onChange={(change) => toggle(event, change.currentTarget.checked)}
          />
        ))}
      </div>
      {error && (
        <p id={errorId} className="text-meta font-medium text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}

const freshMs = 60_000;

/** Settings that few endpoints need: extra headers, a rate, another signature, filters. */
function EndpointOptions({ form }: { form: UseFormReturn<EndpointValues> }) {
  const { errors } = form.formState;
  const { headers, rate_per_second: rate, ed25519, models, keys } = form.getValues();
  const isUsed = headers.length > 0 || rate !== "" || ed25519 || models.length > 0 || keys.length > 0;
  const isWrong = errors.headers || errors.rate_per_second || errors.models || errors.keys;
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <details
      open={isOpen || Boolean(isWrong)}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-control border px-3 py-2"
    >
      <summary className="rounded-control text-table font-medium">Headers, rate, signature, filters</summary>
      <div className="mt-3 space-y-4">
        <HeadersField
          control={form.control}
          register={form.register}
          error={errors.headers?.message ?? errors.headers?.root?.message}
        />
        <TextField
          form={form}
          name="rate_per_second"
          label="Requests per second"
          hint="At most this many requests are sent per second; the others wait. If empty, there is no limit."
          check={rateProblem}
          className="max-w-72"
          inputMode="numeric"
          placeholder="no limit"
        />
        <Checkbox
          {...form.register("ed25519")}
          label="Also sign with a key pair (Ed25519, v1a)"
          hint="Receivers verify with a public key, so they need no secret. Clearing this checkbox removes the key pair."
        />
        {isOpen && <EventFilters control={form.control} />}
      </div>
    </details>
  );
}

/** Filters an endpoint's events by key and model. */
function EventFilters({ control }: { control: Control<EndpointValues> }) {
  const { may } = useAccess();
  const models = useQuery({
    queryKey: queryKeys.models(),
    queryFn: ({ signal }) => fetchRoute("GET /models", { signal }),
    staleTime: freshMs,
    select: ({ data }) => data.map(({ id }) => ({ value: id, label: id })),
  });
  const keys = useQuery({
    queryKey: [...queryKeys.keys(), "filter"],
    queryFn: ({ signal }) => fetchRoute("GET /keys", { query: { limit: pageLimit.max }, signal }),
    staleTime: freshMs,
    select: ({ data }) => data.map(({ id, name }) => ({ value: id, label: name })),
    enabled: may("keys:own"),
  });
  return (
    <>
      <Controller
        control={control}
        name="models"
        render={({ field, fieldState }) => (
          <CheckList
            legend="Only these models"
            hint={hintOf(models, "models", "If none is chosen, the endpoint gets events of all models.")}
            options={withChosen(models.data, field.value)}
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
            scrolls
          />
        )}
      />
      <Controller
        control={control}
        name="keys"
        render={({ field, fieldState }) => (
          <CheckList
            legend="Only events of these keys"
            hint={hintOf(
              keys,
              "keys",
              "If none is chosen, the endpoint gets events of all keys and members.",
            )}
            options={withChosen(keys.data, field.value)}
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
            scrolls
          />
        )}
      />
    </>
  );
}

type Options = { value: string; label: string }[];

/** Adds earlier choices that are not among the options, such as a revoked key. */
function withChosen(options: Options = [], chosen: readonly string[]): Options {
  const missing = chosen.filter((id) => !options.some(({ value }) => value === id));
  return [...options, ...missing.map((id) => ({ value: id, label: id }))];
}

function hintOf(list: { isError: boolean; isLoading: boolean }, name: string, hint: string): string {
  if (list.isError) return `The ${name} could not be loaded. Close this form and open it again.`;
  return list.isLoading ? "Loading …" : hint;
}

interface HeadersFieldProps {
  control: Control<EndpointValues>;
  register: UseFormRegister<EndpointValues>;
  error?: string | undefined;
}

/** Headers that the receiver requires, such as a token. Saved values are never shown. */
function HeadersField({ control, register, error }: HeadersFieldProps) {
  // Without a rule the form does not validate the list again, and the gateway's error would block every
  // further attempt.
  const rules = { maxLength: ownHeaderLimits.count };
  const { fields, append, remove } = useFieldArray({ control, name: "headers", rules });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-table font-medium text-ink">Headers</legend>
      <div className="space-y-2">
        {fields.map((field, at) => (
          <div
            key={field.id}
            className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-center gap-2"
          >
            <Input
              {...register(`headers.${at}.name`)}
              aria-label={`Name of header ${at + 1}`}
              maxLength={ownHeaderLimits.nameLength}
              placeholder="authorization"
              className="font-mono"
              autoComplete="off"
              spellCheck={false}
            />
            <Input
              {...register(`headers.${at}.value`)}
              aria-label={`Value of header ${at + 1}`}
              maxLength={ownHeaderLimits.valueLength}
              placeholder={field.isKept ? "unchanged" : "value"}
              className="font-mono"
              autoComplete="off"
              spellCheck={false}
            />
            <IconButton
              size="sm"
              label={`Remove header ${at + 1}`}
              icon={<X size={14} aria-hidden />}
              onClick={() => remove(at)}
            />
          </div>
        ))}
        <Button
          size="sm"
          icon={<Plus size={14} aria-hidden />}
          disabled={fields.length >= ownHeaderLimits.count}
          onClick={() => append({ name: "", value: "", isKept: false })}
        >
          Add header
        </Button>
      </div>
      <p className="mt-1 text-meta text-muted">
        These headers are sent with every delivery. Their values are stored encrypted and never shown again.
      </p>
      {error && <p className="text-meta font-medium text-bad">{error}</p>}
    </fieldset>
  );
}
