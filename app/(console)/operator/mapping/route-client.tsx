"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Controller, FormProvider, useForm } from "react-hook-form";
import { type ApiType, apiTypes, type RegionName, regionNames } from "#contract/catalog-constants.ts";
import {
  type RouteReason,
  routeNumbers,
  routeReasons,
  thinksSilently,
  usualRouteReasons,
} from "#contract/operator/constants.ts";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import type { RouteEntry, RoutePreview } from "#contract/operator/routes.ts";
import { useWords } from "#words";
import { CheckList } from "@/components/keys/check-list";
import {
  defaultProvider,
  ProviderModelFields,
  type ProviderModelValues,
} from "@/components/operator/provider-model-fields";
import { type MappableModel, ModelChoice, RulesEditor } from "@/components/operator/routes/rules-editor";
import { useChange } from "@/components/operator/use-change";
import { useDebouncedText } from "@/components/operator/use-debounced-text";
import { Button, LinkButton } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { NumberField, TextField } from "@/components/ui/form/bound-fields";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Select } from "@/components/ui/form/input";
import { SelectField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { answerOf } from "@/lib/browser/action-answer";
import { failureBehind, orThrow } from "@/lib/browser/fetch-from-gateway";
import { act } from "@/lib/gateway/act";
import type { GatewayFailure } from "@/lib/gateway/result";
import { saveRoute } from "@/lib/operator/actions";
import { kindLabel } from "@/lib/operator/provider-labels";
import { fieldsOf, isDefault, type Rule, rulesOf } from "@/lib/operator/route-entry";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

interface RouteClientProps {
  /** Null for a new route. */
  id: string | null;
  /** Revision of the routes when this page was read. */
  revision: number;
  initial: Partial<RouteEntry>;
  models: readonly MappableModel[];
  providers: readonly OperatorProvider[];
  readOnly?: boolean;
}

interface RouteEditorProps {
  initial: Partial<RouteEntry>;
  models: readonly MappableModel[];
  providers: readonly OperatorProvider[];
  /** Null: the route is in the providers file, so it is read-only here. */
  submit: ((entry: RouteEntry) => Promise<GatewayFailure | null>) | null;
  submitLabel: string;
}

interface RouteValues extends ProviderModelValues {
  models: string[];
  apiTypes: ApiType[];
  regions: RegionName[];
  priority: string;
  weight: string;
  path: string;
  /** Reasons to try the next route. Null: the default reasons for the kind of operation. */
  goOnWhen: RouteReason[] | null;
  thinksSilently: "" | "yes" | "no";
  waitForRetryAfter: string;
  skipsMalformed: boolean;
  acceptsUnfinished: boolean;
  continuesStreams: boolean;
  acceptsPrefill: boolean;
  drawsAnew: boolean;
  marksBeginning: boolean;
  rules: Rule[];
}

/** Edits one route, saves it and returns to the table. */
export function RouteClient({ id, revision, readOnly, ...rest }: RouteClientProps) {
  const t = useWords("mapping");
  const router = usePageRouter();
  const { change } = useChange();
  const save = (entry: RouteEntry) => {
    const { upstream_model: to, provider } = entry;
    const what = t(id ? "routeChanged" : "routeMapped", { count: entry.models.length, to, provider });
    return change(saveRoute(id, entry, revision), what, () => router.push("/operator/mapping"));
  };
  return (
    <RouteEditor
      {...rest}
      submit={readOnly ? null : save}
      submitLabel={id ? t("saveChanges") : t("addRoute")}
    />
  );
}

/** A route beside a preview of its request. */
function RouteEditor({ initial, models, providers, submit, submitLabel }: RouteEditorProps) {
  const t = useWords("mapping");
  const shared = useWords("operator");
  const { failure, attempt } = useSend();
  const form = useForm<RouteValues>({
    defaultValues: {
      models: initial.models ?? [],
      apiTypes: initial.api_types ?? [],
      regions: initial.regions ?? [],
      provider: initial.provider ?? defaultProvider(providers),
      upstream: initial.upstream_model ?? "",
      priority: String(initial.priority ?? 0),
      weight: String(initial.weight ?? ""),
      path: initial.path ?? "",
      goOnWhen: initial.go_on_when ?? null,
      thinksSilently: initial.thinks_silently === undefined ? "" : initial.thinks_silently ? "yes" : "no",
      waitForRetryAfter: String(initial.wait_for_retry_after_ms ?? ""),
      skipsMalformed: initial.malformed_events === "skip",
      acceptsUnfinished: initial.unfinished_answers === "accept",
      continuesStreams: initial.continue_streams ?? false,
      acceptsPrefill: initial.accepts_prefill ?? false,
      drawsAnew: initial.affinity === "off",
      marksBeginning: initial.cache_breakpoint ?? false,
      rules: rulesOf(initial.fields ?? {}),
    },
  });
  const { isSubmitting } = form.formState;
  const values = form.watch();
  const provider = providers.find(({ name }) => name === values.provider);
  const chosen = models.filter(({ id }) => values.models.includes(id));
  const kinds = apiTypes.filter((type) => chosen.some((model) => model.apiTypes.includes(type)));
  const served = values.apiTypes.length > 0 ? values.apiTypes : kinds;
  const defaultReasons = usualRouteReasons(served);
  const fieldNames = useMemo(
    () => [...new Set(chosen.flatMap((model) => model.fieldNames))].sort(),
    [chosen],
  );

  const send = form.handleSubmit(async (filled) => {
    const entry = entryFrom(filled, served);
    if (entry && submit) await attempt(() => submit(entry));
  });

  return (
    <div className="grid min-w-0 grid-cols-1 items-start gap-8 desktop:grid-cols-2">
      <form onSubmit={send} noValidate className="min-w-0" autoComplete="off">
        <fieldset disabled={!submit} className="min-w-0 space-y-5">
          <Controller
            control={form.control}
            name="models"
            rules={{ validate: (ids) => ids.length > 0 || t("chooseAtLeastOne") }}
            render={({ field, fieldState }) => (
              <ModelChoice
                models={models}
                value={field.value}
                onChange={field.onChange}
                error={fieldState.error?.message}
              />
            )}
          />
          <FormProvider {...form}>
            <ProviderModelFields providers={providers} />
          </FormProvider>
          <Controller
            control={form.control}
            name="rules"
            render={({ field }) => (
              <RulesEditor rules={field.value} onChange={field.onChange} fieldNames={fieldNames} />
            )}
          />
          <details className="rounded-control border px-3 py-2" open={isSpecial(initial)}>
            <summary className="rounded-control text-table font-medium">{t("orderRegionsFailures")}</summary>
            <div className="mt-3 space-y-4">
              <div className="grid gap-4 phone:grid-cols-2">
                <NumberField
                  form={form}
                  name="priority"
                  label={t("order")}
                  hint={t("theRouteWithTheLowest")}
                  bounds={routeNumbers.priority}
                />
                <NumberField
                  form={form}
                  name="weight"
                  label={t("share")}
                  hint={t("shareOfTheRequestsAmong")}
                  bounds={routeNumbers.weight}
                />
              </div>
              {kinds.length > 1 && (
                <Controller
                  control={form.control}
                  name="apiTypes"
                  render={({ field }) => (
                    <CheckList
                      legend={t("onlyTheseOperations")}
                      hint={t("ifNoneIsTickedThe")}
                      options={kinds.map((value) => ({ value, label: kindLabel(shared, value) }))}
                      value={field.value}
                      onChange={field.onChange}
                    />
                  )}
                />
              )}
              <Controller
                control={form.control}
                name="regions"
                render={({ field }) => (
                  <CheckList
                    legend={t("onlyTheseRegions")}
                    hint={t("ifNoneIsTickedThe2")}
                    options={regionsOf(provider).map((value) => ({ value, label: value }))}
                    value={field.value}
                    onChange={field.onChange}
                  />
                )}
              />
              <Controller
                control={form.control}
                name="goOnWhen"
                render={({ field }) => (
                  <CheckList
                    legend={t("tryTheNextRouteWhen")}
                    hint={t("onlyBeforeTheCallerHas")}
                    options={routeReasons.map((value) => ({ value, label: t(reasonLabels[value]) }))}
                    value={field.value ?? [...defaultReasons]}
                    onChange={field.onChange}
                  />
                )}
              />
              <p className="rounded-control bg-sunken px-3 py-2 text-table wrap-anywhere" aria-live="polite">
                {routeSentence(t, values.provider, values.goOnWhen ?? defaultReasons)}
              </p>
              {served.includes("chat-completions") && (
                <>
                  <SelectField
                    label={t("theModelThinksBeforeIts")}
                    hint={t(thinksSilently(values.upstream) ? "thinksByName" : "thinksNotByName", {
                      model: values.upstream.trim() || t("theModel"),
                    })}
                    {...form.register("thinksSilently")}
                    options={[
                      ["", t("byName")],
                      ["yes", t("yes")],
                      ["no", t("no")],
                    ]}
                  />
                  <Checkbox
                    {...form.register("continuesStreams")}
                    label={t("continueStreamsThatBreak")}
                    hint={t("ifAStreamBreaksOr")}
                  />
                  <Checkbox
                    {...form.register("acceptsPrefill")}
                    label={t("theModelCanContinueAn")}
                    hint={t("tickThisOnlyIfThe")}
                  />
                  <Checkbox
                    {...form.register("drawsAnew")}
                    label={t("drawRouteAndKeyFor")}
                    hint={t("ifNotTickedAConversation")}
                  />
                  {provider?.protocol === "anthropic" && (
                    <Checkbox
                      {...form.register("marksBeginning")}
                      label={t("cacheToolsAndSystemPrompt")}
                      hint={t("marksTheEndOfBoth")}
                    />
                  )}
                  <Checkbox
                    {...form.register("skipsMalformed")}
                    label={t("skipBrokenEventsOfStreams")}
                    hint={t("anEventThatIsNot")}
                  />
                  <Checkbox
                    {...form.register("acceptsUnfinished")}
                    label={t("acceptAnswersWithoutAFinish")}
                    hint={t("tickThisOnlyIfThe2")}
                  />
                </>
              )}
              <NumberField
                form={form}
                name="waitForRetryAfter"
                label={t("longestWaitWhenTheProvider")}
                hint={t("ifA429RequiresA", { maximum: routeNumbers.wait_for_retry_after_ms.maximum })}
                bounds={routeNumbers.wait_for_retry_after_ms}
              />
              {provider?.service_paths && (
                <TextField
                  form={form}
                  name="path"
                  label={t("servicePath")}
                  hint={t("onlyForAModelWith")}
                  mono
                />
              )}
            </div>
          </details>
          {failure && <ErrorPanel error={failure} />}
          {submit && (
            <div className="flex gap-2">
              <Button type="submit" variant="primary" busy={isSubmitting}>
                {submitLabel}
              </Button>
              <LinkButton href="/operator/mapping">{t("cancel")}</LinkButton>
            </div>
          )}
        </fieldset>
      </form>
      <div className="min-w-0 desktop:sticky desktop:top-[68px]">
        <RequestPreview entry={entryFrom(values, served)} />
      </div>
    </div>
  );
}

interface RequestPreviewProps {
  /** The route to preview. Null while a required value is missing. */
  entry: RouteEntry | null;
}

/** Previews the request that the route would send for the entry's example, while the user types. */
function RequestPreview({ entry }: RequestPreviewProps) {
  const t = useWords("mapping");
  const [model, setModel] = useState("");
  const chosen = entry?.models.includes(model) ? model : (entry?.models[0] ?? "");
  const text = useDebouncedText(useMemo(() => (entry ? JSON.stringify(entry) : ""), [entry]));
  const { data, error } = useQuery({
    queryKey: ["operator", "preview", text, chosen],
    queryFn: async () =>
      orThrow(
        await answerOf(
          act("POST /operator/routes/preview", {
            body: { route: JSON.parse(text) as RouteEntry, model: chosen },
          }),
        ),
      ),
    enabled: text !== "" && chosen !== "",
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
  });
  const failure = failureBehind(error);
  return (
    <Section
      title={t("previewOfTheRequest")}
      description={t("forTheModelsExampleInput")}
      actions={
        entry && entry.models.length > 1 ? (
          <Select
            aria-label={t("modelOfThePreview")}
            className="max-w-56"
            value={chosen}
            onChange={(event) => setModel(event.currentTarget.value)}
          >
            {entry.models.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </Select>
        ) : undefined
      }
    >
      {!entry && <p className="text-muted">{t("chooseModelsAProviderAnd")}</p>}
      {entry && failure && <ErrorPanel error={failure} />}
      {entry && !failure && data && (
        <CodeBlock label={t("upstreamRequest")} language="http" code={requestText(data)} wrap />
      )}
    </Section>
  );
}

function requestText({ request }: RoutePreview): string {
  const { method, url, headers, json, form } = request;
  const head = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const body = json
    ? JSON.stringify(json, null, 2)
    : (form ?? [])
        .map(
          ({ name, value, file }) =>
            `${name}=${file ? `@${file.name} (${file.content_type})` : (value ?? "")}`,
        )
        .join("\n");
  return body ? `${head.join("\n")}\n\n${body}` : head.join("\n");
}

function regionsOf(provider: OperatorProvider | undefined): readonly RegionName[] {
  return provider ? provider.credentials.map(({ region }) => region) : regionNames;
}

/** One sentence that describes how a request on this route is run. */
function routeSentence(t: Words<"mapping">, name: string, goOnWhen: readonly RouteReason[]): string {
  const provider = name || t("theProvider");
  if (goOnWhen.length === 0) return t("noOtherRoute", { provider });
  const reasons = Object.entries(states).flatMap(([reason, state]) =>
    goOnWhen.some((each) => each === reason) ? [t(state)] : [],
  );
  return t("nextRouteIf", { provider, reasons: listText(t.language, reasons, "disjunction") });
}

/** Labels of checkboxes; "it" is the route. */
const reasonLabels = {
  busy: "itIsBusy",
  down: "itIsDown",
  failed: "itFails",
  slow: "itIsSilent",
  too_long: "itIsTooSmall",
} as const satisfies Record<RouteReason, string>;

/** The same as words of a sentence, the longest last. */
const states = {
  busy: "busy",
  down: "down",
  failed: "failing",
  slow: "silent",
  too_long: "tooSmall",
} as const satisfies Record<RouteReason, string>;

/** Whether a setting in the collapsed part of the form is set. */
function isSpecial(entry: Partial<RouteEntry>): boolean {
  const { priority, weight, thinks_silently } = entry;
  const { regions, api_types, path, go_on_when, wait_for_retry_after_ms } = entry;
  const { malformed_events, unfinished_answers, continue_streams, accepts_prefill } = entry;
  const { affinity, cache_breakpoint } = entry;
  const isSet = weight !== undefined || thinks_silently !== undefined;
  const kept = [priority, regions, api_types, path, go_on_when];
  const answers = [malformed_events, unfinished_answers, continue_streams, accepts_prefill];
  const caches = [affinity, cache_breakpoint];
  return isSet || [...kept, wait_for_retry_after_ms, ...answers, ...caches].some(Boolean);
}

/** The route in the form. Null while a required value is missing. */
function entryFrom(values: RouteValues, kinds: readonly ApiType[]): RouteEntry | null {
  const upstream = values.upstream.trim();
  if (values.models.length === 0 || !values.provider || !upstream) return null;
  const fields = fieldsOf(values.rules);
  const path = values.path.trim();
  return {
    models: values.models,
    provider: values.provider,
    upstream_model: upstream,
    priority: wholeNumber(values.priority, 0),
    ...(values.weight.trim() && { weight: wholeNumber(values.weight, 1) }),
    ...(values.apiTypes.length > 0 && { api_types: values.apiTypes }),
    ...(values.regions.length > 0 && { regions: values.regions }),
    ...(path && { path }),
    ...(fields && { fields }),
    ...(values.goOnWhen && !isDefault(values.goOnWhen, kinds) && { go_on_when: values.goOnWhen }),
    ...(values.thinksSilently && { thinks_silently: values.thinksSilently === "yes" }),
    ...(wholeNumber(values.waitForRetryAfter, 0) !== 0 && {
      wait_for_retry_after_ms: wholeNumber(values.waitForRetryAfter, 0),
    }),
    ...(values.continuesStreams && { continue_streams: true }),
    ...(values.acceptsPrefill && { accepts_prefill: true }),
    ...(values.drawsAnew && { affinity: "off" as const }),
    ...(values.marksBeginning && { cache_breakpoint: true }),
    ...(values.skipsMalformed && { malformed_events: "skip" as const }),
    ...(values.acceptsUnfinished && { unfinished_answers: "accept" as const }),
  };
}

/** Returns numbers that are not whole or out of range unchanged: the gateway reports them as errors. */
function wholeNumber(text: string, usual: number): number {
  const number = Number(text.trim());
  return text.trim() === "" || Number.isNaN(number) ? usual : number;
}
