"use client";

import { type RegionName, regionNames } from "#contract/catalog-constants.ts";
import {
  type CutStreamRule,
  cutStreamRules,
  providerFields,
  providerTimeoutMs,
} from "#contract/operator/constants.ts";
import type { OperatorProvider, ProviderUpdate } from "#contract/operator/providers.ts";
import { useWords } from "#words";
import { CheckList } from "@/components/keys/check-list";
import { KeyFields, OutputOriginsField } from "@/components/operator/providers/key-fields";
import {
  credentialOf,
  type KeyValues,
  nameProblem,
  nameRule,
  outputOriginsOf,
} from "@/components/operator/providers/provider-values";
import { SeveralKeysDialog } from "@/components/operator/providers/several-keys-dialog";
import { useChange } from "@/components/operator/use-change";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Chosen, NumberField, TextField } from "@/components/ui/form/bound-fields";
import { Checkbox } from "@/components/ui/form/checkbox";
import { SelectField } from "@/components/ui/form/input-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { usePageRouter } from "@/components/ui/page/link";
import { changeConfiguration } from "@/lib/gateway/act";
import type { GatewayFailure } from "@/lib/gateway/result";
import { cutStreamLabels } from "@/lib/operator/provider-labels";

export type ProviderDialog = "key" | "keys" | "edit" | "remove";

interface ProviderDialogsProps {
  open: ProviderDialog;
  provider: OperatorProvider;
  onClose: () => void;
}

type Credentials = NonNullable<ProviderUpdate["credentials"]>;

const timeouts = [
  ["connect", "connectTimeout", "10000"],
  ["answer", "answerTimeout", "600000"],
  ["job", "jobTimeout", "60000"],
  ["whole", "wholeTimeout", "900000"],
  ["stream", "streamTimeout", "3600000"],
  ["idle", "idleTimeout", "120000"],
  ["first_token", "firstTokenTimeout", "10000"],
  ["next_token", "nextTokenTimeout", "25000"],
  ["run", "runTimeout", "600000"],
] as const;

/** The dialogs that change a provider. */
export function ProviderDialogs({ open, provider, onClose }: ProviderDialogsProps) {
  const t = useWords("providers");
  const router = usePageRouter();
  const { busy, change } = useChange();
  const { failure, attempt } = useSend();
  const { id, name, running_predictions: running } = provider;

  const of = { params: { id } };
  const update = (body: ProviderUpdate) =>
    changeConfiguration("PATCH /operator/providers/{id}", { ...of, body });
  const remove = async () => {
    const describe = ({ deleted }: { deleted: boolean }) =>
      deleted ? t("providerRemoved", { name }) : t("providerBeingRemoved", { name });
    const removed = () => changeConfiguration("DELETE /operator/providers/{id}", of);
    await attempt(() => change(removed(), describe, () => router.push("/operator/providers")));
  };

  if (open === "remove")
    return (
      <ConfirmDialog
        open
        onOpenChange={onClose}
        title={t("removeName", { name })}
        body={running > 0 ? t("removeWhileRunning", { count: running }) : t("removeMeans")}
        confirmLabel={t("removeProvider")}
        tone="bad"
        busy={busy}
        failure={failure}
        onConfirm={() => void remove()}
      />
    );
  if (open === "keys")
    return (
      <SeveralKeysDialog
        provider={provider}
        save={(credentials) => change(update({ credentials }), t("keysSaved", { name }), onClose)}
        onClose={onClose}
      />
    );
  if (open === "key")
    return (
      <ReplaceKeyDialog
        provider={provider}
        save={(credentials) => change(update({ credentials }), t("keyReplaced", { name }), onClose)}
        onClose={onClose}
      />
    );
  return (
    <EditProviderDialog
      provider={provider}
      save={(body) => change(update(body), (saved) => t("providerUpdated", { name: saved.name }), onClose)}
      onClose={onClose}
    />
  );
}

interface EditProviderDialogProps {
  provider: OperatorProvider;
  save: (body: ProviderUpdate) => Promise<GatewayFailure | null>;
  onClose: () => void;
}

const noKeyYet: KeyValues = { kind: "key", key: "", ref: "" };

/** Empty: the default. */
type YesOrUsual = "" | "yes" | "no";

const yesOrUsual = (set: boolean | undefined): YesOrUsual => (set === undefined ? "" : set ? "yes" : "no");

interface Values {
  name: string;
  address: string;
  /** Sent only if the address is another server's. */
  credential: KeyValues;
  allowPrivate: boolean;
  media: "" | "data" | "url";
  outputOrigins: string;
  cutStreams: CutStreamRule;
  sendCacheKey: YesOrUsual;
  sendTraceparent: YesOrUsual;
  timeouts: Record<(typeof timeouts)[number][0], string>;
}

/**
 * Rarely changed settings: the name, the address, private addresses, how media are sent, where outputs are,
 * the cost of broken streams, time-outs.
 */
function EditProviderDialog({ provider, save, onClose }: EditProviderDialogProps) {
  const t = useWords("providers");
  const shared = useWords("operator");
  const { settings } = provider;
  const bodyOf = (values: Values): ProviderUpdate => {
    const set = Object.entries(values.timeouts).filter(([, text]) => text.trim() !== "");
    const {
      media: _media,
      timeouts_ms: _timeouts,
      output_origins: _origins,
      cut_streams: _cut,
      send_cache_key: _key,
      send_traceparent: _trace,
      ...kept
    } = settings;
    const origins = outputOriginsOf(values.outputOrigins);
    const name = values.name.trim();
    return {
      ...(name !== provider.name && { name }),
      base_url: values.address.trim() || null,
      // A stored key is sent only to the server for which it was entered.
      ...(changesServer(provider, values.address) && {
        credentials: Object.fromEntries(
          provider.credentials.map(({ region }) => [region, credentialOf(values.credential)]),
        ),
      }),
      allow_private: values.allowPrivate,
      settings: {
        ...kept,
        ...(values.media && { media: values.media }),
        ...(origins.length > 0 && { output_origins: origins }),
        ...(values.cutStreams !== "counted" && { cut_streams: values.cutStreams }),
        ...(values.sendCacheKey && { send_cache_key: values.sendCacheKey === "yes" }),
        ...(values.sendTraceparent && { send_traceparent: values.sendTraceparent === "yes" }),
        ...(set.length > 0 && {
          timeouts_ms: Object.fromEntries(set.map(([part, text]) => [part, Number(text)])),
        }),
      },
    };
  };

  return (
    <ResourceDialog<Values>
      title={t("editName", { name: provider.name })}
      defaults={{
        name: provider.name,
        address: provider.base_url ?? "",
        credential: noKeyYet,
        allowPrivate: provider.allow_private,
        media: settings.media ?? "",
        outputOrigins: (settings.output_origins ?? []).join("\n"),
        cutStreams: settings.cut_streams ?? "counted",
        sendCacheKey: yesOrUsual(settings.send_cache_key),
        sendTraceparent: yesOrUsual(settings.send_traceparent),
        timeouts: Object.fromEntries(
          timeouts.map(([part]) => [part, String(settings.timeouts_ms?.[part] ?? "")]),
        ) as Values["timeouts"],
      }}
      names={["name"]}
      submitLabel={t("saveChanges")}
      save={(values) => save(bodyOf(values))}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="name"
            rule={nameRule}
            label={t("name")}
            hint={t("theProvidersRoutesKeepWorking")}
            missing={t("enterAName")}
            check={(text) => nameProblem(t, text)}
            spellCheck={false}
          />
          <TextField
            form={form}
            name="address"
            rule={providerFields.address}
            optional
            label={t("address")}
            hint={t("ifEmptyTheDefaultAddress")}
            mono
            type="url"
          />
          {changesServer(provider, form.watch("address")) && (
            <div className="space-y-2">
              <p className="text-table text-muted">{t("theStoredKeyIsFor")}</p>
              <KeyFields keyUrl={null} />
            </div>
          )}
          <Checkbox
            {...form.register("allowPrivate")}
            label={t("allowPrivateAddressesForThis")}
            hint={t("allowThisOnlyForServers")}
          />
          <SelectField
            label={t("mediaInputs")}
            hint={t("ifYouSendAddressesThe")}
            {...form.register("media")}
            options={[
              ["", t("mediaDefault")],
              ["data", t("mediaInRequest")],
              ["url", t("mediaAsUrls")],
            ]}
          />
          <OutputOriginsField />
          <SelectField
            label={t("streamsThatEndEarly")}
            hint={t("whatTheAccountPaysIf")}
            {...form.register("cutStreams")}
            options={cutStreamRules.map((rule) => [rule, shared.text(cutStreamLabels[rule])])}
          />
          {provider.protocol.startsWith("openai") && (
            <SelectField
              label={t("nameConversationsToTheProvider")}
              hint={t("aChatWithoutAPrompt")}
              {...form.register("sendCacheKey")}
              options={[
                ["", t("onlyAtOpenAi")],
                ["yes", t("yes")],
                ["no", t("no")],
              ]}
            />
          )}
          <SelectField
            label={t("continueTracesThere")}
            hint={t("callsThatRunAModel")}
            {...form.register("sendTraceparent")}
            options={[
              ["", t("onlyAtPrivate")],
              ["yes", t("yes")],
              ["no", t("no")],
            ]}
          />
          <fieldset>
            <legend className="mb-1 text-table font-medium">{t("timeOutsInMilliseconds")}</legend>
            <div className="grid gap-3 phone:grid-cols-2">
              {timeouts.map(([part, label, usual]) => (
                <NumberField
                  key={part}
                  form={form}
                  name={`timeouts.${part}`}
                  label={t(label)}
                  bounds={providerTimeoutMs}
                  placeholder={usual}
                />
              ))}
            </div>
          </fieldset>
        </>
      )}
    </ResourceDialog>
  );
}

/**
 * Whether a key is stored and the new address belongs to another server than the one for which the key was
 * entered.
 */
function changesServer({ base_url, credentials }: OperatorProvider, address: string): boolean {
  const hasKey = credentials.some(({ has_key, ref }) => has_key || ref !== null);
  const before = base_url ?? "";
  return hasKey && URL.parse(address.trim())?.origin !== URL.parse(before)?.origin;
}

interface KeyDialogProps {
  provider: OperatorProvider;
  save: (credentials: Credentials) => Promise<GatewayFailure | null>;
  onClose: () => void;
}

/** A new key for the ticked regions. New regions are added, and unticked ones are removed. */
function ReplaceKeyDialog({ provider, save, onClose }: KeyDialogProps) {
  const t = useWords("providers");
  const before = provider.credentials.map(({ region }) => region);
  return (
    <ResourceDialog<{ credential: KeyValues; regions: RegionName[] }>
      title={t("replaceTheKey")}
      defaults={{ credential: noKeyYet, regions: before }}
      names={[]}
      submitLabel={t("replaceKey")}
      save={({ credential, regions }) =>
        save(
          Object.fromEntries([
            ...before.filter((region) => !regions.includes(region)).map((region) => [region, null]),
            ...regions.map((region) => [region, credentialOf(credential)]),
          ]),
        )
      }
      onClose={onClose}
    >
      {(form) => (
        <>
          <KeyFields keyUrl={null} />
          <Chosen form={form} name="regions">
            {(field) => (
              <CheckList
                {...field}
                legend={t("regions")}
                hint={t("allTickedRegionsUseThis")}
                options={regionNames.map((value) => ({ value, label: value }))}
              />
            )}
          </Chosen>
        </>
      )}
    </ResourceDialog>
  );
}
