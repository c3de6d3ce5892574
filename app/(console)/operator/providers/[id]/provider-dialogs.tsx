"use client";

import { type FormEvent, useState } from "react";
import { useForm } from "react-hook-form";
import { type RegionName, regionNames } from "#contract/catalog-constants.ts";
import { type CutStreamRule, cutStreamRules } from "#contract/operator/constants.ts";
import type { OperatorProvider, ProviderUpdate } from "#contract/operator/providers.ts";
import { CheckList } from "@/components/keys/check-list";
import { KeyFields, OutputOriginsField } from "@/components/operator/providers/key-fields";

import {
  credentialOf,
  type KeyValues,
  keyProblem,
  nameProblem,
  nameRule,
  outputOriginsOf,
  outputOriginsProblem,
} from "@/components/operator/providers/provider-values";
import { SeveralKeysForm } from "@/components/operator/providers/several-keys-form";
import { useChange } from "@/components/operator/use-change";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Field } from "@/components/ui/form/field";
import { FormActions, FormDialog } from "@/components/ui/form/form-dialog";

import { Input, Select } from "@/components/ui/form/input";
import { TextField } from "@/components/ui/form/resource-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { formatCount } from "@/lib/format";
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

interface ReplaceKeyFormProps {
  provider: OperatorProvider;
  submit: (credentials: Credentials, title: string) => Promise<GatewayFailure | null>;
  onCancel: () => void;
}

interface EditProviderFormProps {
  provider: OperatorProvider;
  submit: (body: ProviderUpdate) => Promise<GatewayFailure | null>;
  onCancel: () => void;
}

const timeouts = [
  ["connect", "Connecting", "10000"],
  ["answer", "A call that generates", "600000"],
  ["job", "Submitting or polling a job", "60000"],
  ["whole", "A whole answer", "900000"],
  ["stream", "A whole stream", "3600000"],
  ["idle", "Silence within an answer", "120000"],
  ["first_token", "First token, if another route is available", "10000"],
  ["next_token", "Between tokens, if another route is available", "25000"],
  ["run", "A whole job", "600000"],
] as const;

interface Values {
  name: string;
  address: string;
  allowPrivate: boolean;
  media: "" | "data" | "url";
  outputOrigins: string;
  cutStreams: CutStreamRule;
  timeouts: Record<(typeof timeouts)[number][0], string>;
}

/** The dialogs that change a provider. */
export function ProviderDialogs({ open, provider, onClose }: ProviderDialogsProps) {
  const router = usePageRouter();
  const { busy, change } = useChange();
  const { failure, attempt } = useSend();
  const { id, name, running_predictions: running } = provider;

  const of = { params: { id } };
  const update = (body: ProviderUpdate) =>
    changeConfiguration("PATCH /operator/providers/{id}", { ...of, body });
  const remove = async () => {
    const describe = ({ deleted }: { deleted: boolean }) =>
      deleted ? `${name} removed` : `${name} is being removed: it accepts no new runs`;
    const removed = () => changeConfiguration("DELETE /operator/providers/{id}", of);
    await attempt(() => change(removed(), describe, () => router.push("/operator/providers")));
  };

  if (open === "remove")
    return (
      <ConfirmDialog
        open
        onOpenChange={onClose}
        title={`Remove ${name}?`}
        body={
          running > 0
            ? `${formatCount(running, "prediction")} still running at this provider. The provider accepts no new runs from now on and is removed when these predictions have ended. Operations that are mapped only to this provider fail from now on.`
            : "Operations that are mapped only to this provider fail until you map them to another one. Its key is deleted."
        }
        confirmLabel="Remove provider"
        tone="bad"
        busy={busy}
        failure={failure}
        onConfirm={() => void remove()}
      />
    );
  return (
    <FormDialog
      open
      busy={busy}
      onClose={onClose}
      title={open === "key" ? "Replace the key" : open === "keys" ? `Keys of ${name}` : `Edit ${name}`}
    >
      {open === "keys" ? (
        <SeveralKeysForm
          provider={provider}
          onCancel={onClose}
          submit={(credentials, title) => change(update({ credentials }), title, onClose)}
        />
      ) : open === "key" ? (
        <ReplaceKeyForm
          provider={provider}
          onCancel={onClose}
          submit={(credentials, title) => change(update({ credentials }), title, onClose)}
        />
      ) : (
        <EditProviderForm
          provider={provider}
          onCancel={onClose}
          submit={(body) => change(update(body), (saved) => `${saved.name} updated`, onClose)}
        />
      )}
    </FormDialog>
  );
}

/**
 * Rarely changed settings: the name, the address, private addresses, how media are sent, where outputs are,
 * the cost of broken streams, time-outs.
 */
function EditProviderForm({ provider, submit, onCancel }: EditProviderFormProps) {
  const { settings } = provider;
  const [key, setKey] = useState<KeyValues>({ kind: "key", key: "", ref: "" });
  const [keyError, setKeyError] = useState<string>();
  const form = useForm<Values>({
    defaultValues: {
      name: provider.name,
      address: provider.base_url ?? "",
      allowPrivate: provider.allow_private,
      media: settings.media ?? "",
      outputOrigins: (settings.output_origins ?? []).join("\n"),
      cutStreams: settings.cut_streams ?? "counted",
      timeouts: Object.fromEntries(
        timeouts.map(([part]) => [part, String(settings.timeouts_ms?.[part] ?? "")]),
      ) as Values["timeouts"],
    },
  });
  const { isSubmitting } = form.formState;
  const { failure, show, attempt } = useSend({ names: ["name"], setError: form.setError });
  // A stored key is sent only to the server for which it was entered.
  const needsKey = changesServer(provider, form.watch("address"));

  const send = form.handleSubmit(async (values) => {
    show(null);
    const problem = needsKey ? keyProblem(key) : true;
    setKeyError(problem === true ? undefined : problem);
    if (problem !== true) return;
    const set = Object.entries(values.timeouts).filter(([, text]) => text.trim() !== "");
    const {
      media: _media,
      timeouts_ms: _timeouts,
      output_origins: _origins,
      cut_streams: _cut,
      ...kept
    } = settings;
    const origins = outputOriginsOf(values.outputOrigins);
    const name = values.name.trim();
    await attempt(() =>
      submit({
        ...(name !== provider.name && { name }),
        base_url: values.address.trim() || null,
        ...(needsKey && {
          credentials: Object.fromEntries(
            provider.credentials.map(({ region }) => [region, credentialOf(key)]),
          ),
        }),
        allow_private: values.allowPrivate,
        settings: {
          ...kept,
          ...(values.media && { media: values.media }),
          ...(origins.length > 0 && { output_origins: origins }),
          ...(values.cutStreams !== "counted" && { cut_streams: values.cutStreams }),
          ...(set.length > 0 && {
            timeouts_ms: Object.fromEntries(set.map(([part, text]) => [part, Number(text)])),
          }),
        },
      }),
    );
  });

  return (
    <form onSubmit={send} noValidate autoComplete="off" className="space-y-4">
      <TextField
        form={form}
        name="name"
        rule={nameRule}
        label="Name"
        hint="The provider's routes keep working. Past runs stay in the logs under the old name."
        check={nameProblem}
        spellCheck={false}
      />
      <Field label="Address" hint="If empty, the default address of the protocol is used.">
        {(aria) => (
          <Input
            {...aria}
            {...form.register("address")}
            type="url"
            className="font-mono"
            spellCheck={false}
          />
        )}
      </Field>
      {needsKey && (
        <div className="space-y-2">
          <p className="text-table text-muted">
            The stored key is for the previous server. Enter the key for this one.
          </p>
          <KeyFields value={key} onChange={setKey} error={keyError} keyUrl={null} />
        </div>
      )}
      <Checkbox
        {...form.register("allowPrivate")}
        label="Allow private addresses for this provider"
        hint="Allow this only for servers that you run."
      />
      <Field
        label="Media inputs"
        hint="If you send addresses, the provider fetches the files from this gateway, so it must be able to reach the gateway."
      >
        {(aria) => (
          <Select {...aria} {...form.register("media")}>
            <option value="">Default (sent in the request)</option>
            <option value="data">Sent in the request</option>
            <option value="url">As URLs</option>
          </Select>
        )}
      </Field>
      <OutputOriginsField
        problem={form.formState.errors.outputOrigins?.message}
        input={form.register("outputOrigins", { validate: outputOriginsProblem })}
      />
      <Field
        label="Streams that end early"
        hint="What the account pays if a stream breaks or its client disconnects. If the provider reports no usage, the received output is counted."
      >
        {(aria) => (
          <Select {...aria} {...form.register("cutStreams")}>
            {cutStreamRules.map((rule) => (
              <option key={rule} value={rule}>
                {cutStreamLabels[rule]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <fieldset>
        <legend className="mb-1 text-table font-medium">Time-outs in milliseconds</legend>
        <div className="grid gap-3 phone:grid-cols-2">
          {timeouts.map(([part, label, usual]) => (
            <Field key={part} label={label}>
              {(aria) => (
                <Input
                  {...aria}
                  {...form.register(`timeouts.${part}`)}
                  inputMode="numeric"
                  placeholder={usual}
                />
              )}
            </Field>
          ))}
        </div>
      </fieldset>
      {failure && <ErrorPanel error={failure} />}
      <FormActions>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          Save changes
        </Button>
      </FormActions>
    </form>
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

/** A new key for the ticked regions. New regions are added, and unticked ones are removed. */
function ReplaceKeyForm({ provider, submit, onCancel }: ReplaceKeyFormProps) {
  const before = provider.credentials.map(({ region }) => region);
  const [key, setKey] = useState<KeyValues>({ kind: "key", key: "", ref: "" });
  const [regions, setRegions] = useState<RegionName[]>(before);
  const [error, setError] = useState<string>();
  const { failure, attempt } = useSend();

  const send = async (event: FormEvent) => {
    event.preventDefault();
    const problem = keyProblem(key);
    setError(problem === true ? undefined : problem);
    if (problem !== true) return;
    const credentials: Credentials = Object.fromEntries([
      ...before.filter((region) => !regions.includes(region)).map((region) => [region, null]),
      ...regions.map((region) => [region, credentialOf(key)]),
    ]);
    await attempt(() => submit(credentials, `Key of ${provider.name} replaced`));
  };

  return (
    <form onSubmit={(event) => void send(event)} noValidate autoComplete="off" className="space-y-4">
      <KeyFields value={key} onChange={setKey} error={error} keyUrl={null} />
      <CheckList
        legend="Regions"
        hint="All ticked regions use this key. If you clear a region, models no longer run there."
        options={regionNames.map((value) => ({ value, label: value }))}
        value={regions}
        onChange={setRegions}
      />
      {failure && <ErrorPanel error={failure} />}
      <FormActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary">
          Replace key
        </Button>
      </FormActions>
    </form>
  );
}
