"use client";

import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useFieldArray, useForm } from "react-hook-form";
import type { RegionName } from "#contract/catalog-constants.ts";
import { providerKeyLimits } from "#contract/operator/constants.ts";
import type { OperatorProvider, ProviderCredential, ProviderUpdate } from "#contract/operator/providers.ts";
import { PasswordInput } from "@/components/auth/password-input";
import { Button, IconButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Field } from "@/components/ui/form/field";
import { FormActions } from "@/components/ui/form/form-dialog";
import { Input, Select } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { formatCount } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { keyText } from "@/lib/operator/provider-labels";
import {
  type KeyRow,
  keyNameProblem,
  newKeyOf,
  newRow,
  numberProblem,
  rowOf,
  sharesSentence,
} from "./key-shares.ts";

type Credentials = NonNullable<ProviderUpdate["credentials"]>;

interface SeveralKeysFormProps {
  provider: OperatorProvider;
  submit: (credentials: Credentials, title: string) => Promise<GatewayFailure | null>;
  onCancel: () => void;
}

/** The keys of one region, and each key's share of the calls. */
export function SeveralKeysForm({ provider, submit, onCancel }: SeveralKeysFormProps) {
  const regions = provider.credentials.map(({ region }) => region);
  const [region, setRegion] = useState<RegionName | undefined>(regions[0]);
  const [everywhere, setEverywhere] = useState(true);
  const { failure, attempt } = useSend();
  const rowsOf = (of: RegionName | undefined): KeyRow[] =>
    (credentialOf(provider, of)?.keys ?? [])
      .filter(({ has_key }) => has_key)
      .map((key) => rowOf(key, keyText(key)));
  const form = useForm<{ keys: KeyRow[] }>({ defaultValues: { keys: withOne(rowsOf(region)) } });
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "keys" });
  const { errors, isSubmitting } = form.formState;
  const rows = form.watch("keys");

  const alike = provider.credentials.filter(
    (one) => one.region !== region && signatureOf(one) === signatureOf(credentialOf(provider, region)),
  );

  const choose = (next: RegionName) => {
    setRegion(next);
    form.reset({ keys: withOne(rowsOf(next)) });
  };
  const send = form.handleSubmit(async ({ keys }) => {
    if (!region) return;
    const regionsToo = everywhere ? alike.map((one) => one.region) : [];
    const body = { keys: keys.map(newKeyOf) };
    const credentials = Object.fromEntries([region, ...regionsToo].map((name) => [name, body]));
    await attempt(() => submit(credentials, `Keys of ${provider.name} saved`));
  });

  return (
    <form onSubmit={send} noValidate autoComplete="off" className="space-y-4">
      {regions.length > 1 && (
        <Field label="Region" hint="Each region has its own keys.">
          {(aria) => (
            <Select
              {...aria}
              value={region}
              onChange={(event) => choose(event.currentTarget.value as RegionName)}
            >
              {regions.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {alike.length > 0 && (
        <Checkbox
          label={`Also in ${formatCount(alike.length, "other region")} with the same keys`}
          checked={everywhere}
          onChange={(event) => setEverywhere(event.currentTarget.checked)}
        />
      )}
      <ol className="space-y-4">
        {fields.map(({ id, stored, name }, at) => {
          const wrong = errors.keys?.[at];
          return (
            <li key={id} className="space-y-3 rounded-panel border p-3">
              <div className="flex items-start gap-2">
                <div className="min-w-0 flex-1">
                  {stored === null ? (
                    <Field label="Name" required error={wrong?.name?.message}>
                      {(aria) => (
                        <Input
                          {...aria}
                          {...form.register(`keys.${at}.name`, {
                            validate: (text, { keys }) =>
                              keyNameProblem(
                                text,
                                keys.toSpliced(at, 1).map((other) => other.name),
                              ),
                          })}
                          maxLength={providerKeyLimits.nameLength}
                        />
                      )}
                    </Field>
                  ) : (
                    <p className="wrap-anywhere">
                      <span className="font-medium">{name}</span>{" "}
                      <span className="text-muted">Key: {stored}</span>
                    </p>
                  )}
                </div>
                <IconButton
                  size="sm"
                  label={`Remove the key ${rows[at]?.name ?? name}`}
                  icon={<Trash2 size={14} aria-hidden />}
                  disabled={fields.length === 1}
                  onClick={() => remove(at)}
                />
              </div>
              {stored === null && (
                <Field
                  label="API key"
                  required
                  hint="Paste the key, or enter where it is stored: env:GATEHOUSE_KEY_NAME or file:/run/secrets/name. A pasted key is encrypted in the database and never shown again."
                  error={wrong?.secret?.message}
                >
                  {(aria) => (
                    <PasswordInput
                      {...aria}
                      {...form.register(`keys.${at}.secret`, {
                        validate: (text) => text.trim() !== "" || "Paste the key.",
                      })}
                      what="key"
                      // Password managers must not offer to save this value: it is not a password of this
                      // site.
                      autoComplete="new-password"
                      data-1p-ignore
                      className="font-mono"
                    />
                  )}
                </Field>
              )}
              <div className="grid gap-3 phone:grid-cols-3">
                <Field label="Share" error={wrong?.share?.message}>
                  {(aria) => (
                    <Input
                      {...aria}
                      {...form.register(`keys.${at}.share`, { validate: (text) => numberProblem(text, 0) })}
                      inputMode="numeric"
                    />
                  )}
                </Field>
                <Field label="Calls per minute" error={wrong?.perMinute?.message}>
                  {(aria) => (
                    <Input
                      {...aria}
                      {...form.register(`keys.${at}.perMinute`, {
                        validate: (text) => numberProblem(text, 1),
                      })}
                      inputMode="numeric"
                      placeholder="any"
                    />
                  )}
                </Field>
                <Field label="Calls at once" error={wrong?.concurrency?.message}>
                  {(aria) => (
                    <Input
                      {...aria}
                      {...form.register(`keys.${at}.concurrency`, {
                        validate: (text) => numberProblem(text, 1),
                      })}
                      inputMode="numeric"
                      placeholder="any"
                    />
                  )}
                </Field>
              </div>
            </li>
          );
        })}
      </ol>
      {fields.length < providerKeyLimits.perRegion && (
        <Button icon={<Plus size={14} aria-hidden />} onClick={() => append(newRow(rows))}>
          Add a key
        </Button>
      )}
      <p className="rounded-control bg-sunken px-3 py-2 text-table wrap-anywhere" aria-live="polite">
        {sharesSentence(rows)} Limits apply to each process of the gateway.
      </p>
      {failure && <ErrorPanel error={failure} />}
      <FormActions>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          Save keys
        </Button>
      </FormActions>
    </form>
  );
}

function credentialOf({ credentials }: OperatorProvider, region: RegionName | undefined) {
  return credentials.find((one) => one.region === region);
}

/** Two regions have the same text here if they have the same keys, as far as the console can see. */
function signatureOf(credential: ProviderCredential | undefined): string {
  return JSON.stringify(
    credential?.keys.map(({ name, key_hint, ref, share, per_minute, concurrency }) => [
      name,
      key_hint,
      ref,
      share,
      per_minute,
      concurrency,
    ]),
  );
}

function withOne(rows: KeyRow[]): KeyRow[] {
  return rows.length > 0 ? rows : [newRow([])];
}
