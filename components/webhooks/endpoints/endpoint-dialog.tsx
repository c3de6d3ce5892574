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
import { useWords } from "#words";
import { CheckList } from "@/components/keys/check-list";
import { useAccess } from "@/components/team/access";
import { Button, IconButton } from "@/components/ui/button";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Input } from "@/components/ui/form/input";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import type { GatewayFailure } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { type EndpointValues, emptyEndpoint, rateProblem } from "@/lib/webhooks/endpoint-values";
import type { Words } from "@/messages/words";

interface EndpointDialogProps {
  title: string;
  description?: string;
  initial?: EndpointValues;
  submitLabel: string;
  /** Resolves to the failure to show, or null on success. */
  save: (values: EndpointValues) => Promise<GatewayFailure | null>;
  onClose: () => void;
}

const urlExample = "https://example.com/hooks/gatehouse";

export function EndpointDialog({ initial, save, ...rest }: EndpointDialogProps) {
  const t = useWords("webhooks");
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
            label={t("url")}
            hint={t("anHttpsUrlRedirectsAre")}
            missing={t("enterTheUrlOfYour")}
            check={(url) => tooLong(t, url.trim())}
            type="url"
            inputMode="url"
            spellCheck={false}
            placeholder={urlExample}
          />
          <TextField
            form={form}
            name="description"
            rule={endpointFields.description}
            label={t("description")}
          />
          <Chosen form={form} name="events" missing={t("chooseAtLeastOneEvent")}>
            {(field) => <EventChoice {...field} />}
          </Chosen>
          <EndpointOptions form={form} />
        </>
      )}
    </ResourceDialog>
  );
}

/** Checked here, because an input with a maximum silently cuts pasted text. */
function tooLong(t: Words<"webhooks">, url: string): string | true {
  const characters = countCharacters(url);
  if (characters <= endpointFields.url.maxLength) return true;
  return t("urlTooLong", { max: endpointFields.url.maxLength, characters });
}

type EventName = (typeof subscribableEventTypes)[number];

interface EventChoiceProps {
  value: EventName[];
  onChange: (events: EventName[]) => void;
  error?: string | undefined;
}

/** The choice of the events that the endpoint receives. */
function EventChoice({ value, onChange, error }: EventChoiceProps) {
  const t = useWords("webhooks");
  const errorId = useId();
  const toggle = (event: EventName, on: boolean) =>
    onChange(subscribableEventTypes.filter((each) => (each === event ? on : value.includes(each))));
  return (
    <fieldset aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1 text-table font-medium text-ink">{t("events")}</legend>
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
  const t = useWords("webhooks");
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
      <summary className="rounded-control text-table font-medium">{t("headersRateSignatureFilters")}</summary>
      <div className="mt-3 space-y-4">
        <HeadersField
          control={form.control}
          register={form.register}
          error={errors.headers?.message ?? errors.headers?.root?.message}
        />
        <TextField
          form={form}
          name="rate_per_second"
          label={t("requestsPerSecond")}
          hint={t("atMostThisManyRequests")}
          check={(rate) => rateProblem(t, rate)}
          className="max-w-72"
          inputMode="numeric"
          placeholder={t("noLimit")}
        />
        <Checkbox
          {...form.register("ed25519")}
          label={t("alsoSignWithAKey")}
          hint={t("receiversVerifyWithAPublic")}
        />
        {isOpen && <EventFilters control={form.control} />}
      </div>
    </details>
  );
}

/** Filters an endpoint's events by key and model. */
function EventFilters({ control }: { control: Control<EndpointValues> }) {
  const t = useWords("webhooks");
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
            legend={t("onlyTheseModels")}
            hint={hintOf(models, {
              failed: t("modelsNotLoaded"),
              loading: t("loading"),
              loaded: t("noModelsMeansAll"),
            })}
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
            legend={t("onlyEventsOfTheseKeys")}
            hint={hintOf(keys, {
              failed: t("keysNotLoaded"),
              loading: t("loading"),
              loaded: t("noKeysMeansAll"),
            })}
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

function hintOf(
  list: { isError: boolean; isLoading: boolean },
  hints: { failed: string; loading: string; loaded: string },
): string {
  if (list.isError) return hints.failed;
  return list.isLoading ? hints.loading : hints.loaded;
}

interface HeadersFieldProps {
  control: Control<EndpointValues>;
  register: UseFormRegister<EndpointValues>;
  error?: string | undefined;
}

const headerExample = "authorization";

/** Headers that the receiver requires, such as a token. Saved values are never shown. */
function HeadersField({ control, register, error }: HeadersFieldProps) {
  const t = useWords("webhooks");
  // Without a rule the form does not validate the list again, and the gateway's error would block every
  // further attempt.
  const rules = { maxLength: ownHeaderLimits.count };
  const { fields, append, remove } = useFieldArray({ control, name: "headers", rules });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-table font-medium text-ink">{t("headers")}</legend>
      <div className="space-y-2">
        {fields.map((field, at) => (
          <div
            key={field.id}
            className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-center gap-2"
          >
            <Input
              {...register(`headers.${at}.name`)}
              aria-label={t("nameOfHeader", { number: at + 1 })}
              maxLength={ownHeaderLimits.nameLength}
              placeholder={headerExample}
              className="font-mono"
              autoComplete="off"
              spellCheck={false}
            />
            <Input
              {...register(`headers.${at}.value`)}
              aria-label={t("valueOfHeader", { number: at + 1 })}
              maxLength={ownHeaderLimits.valueLength}
              placeholder={field.isKept ? t("unchangedValue") : t("valuePlaceholder")}
              className="font-mono"
              autoComplete="off"
              spellCheck={false}
            />
            <IconButton
              size="sm"
              label={t("removeHeader", { number: at + 1 })}
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
          {t("addHeader")}
        </Button>
      </div>
      <p className="mt-1 text-meta text-muted">{t("theseHeadersAreSentWith")}</p>
      {error && <p className="text-meta font-medium text-bad">{error}</p>}
    </fieldset>
  );
}
