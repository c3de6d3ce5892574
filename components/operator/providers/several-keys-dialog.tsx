"use client";

import { Plus, Trash2 } from "lucide-react";
import { type UseFormReturn, useFieldArray } from "react-hook-form";
import type { RegionName } from "#contract/catalog-constants.ts";
import { providerFields, providerKeyLimits, providerKeyRates } from "#contract/operator/constants.ts";
import type { OperatorProvider, ProviderCredential, ProviderUpdate } from "#contract/operator/providers.ts";
import { useWords } from "#words";
import { PasswordField } from "@/components/auth/password-field";
import { Button, IconButton } from "@/components/ui/button";
import { NumberField, TextField } from "@/components/ui/form/bound-fields";
import { Checkbox } from "@/components/ui/form/checkbox";
import { filledIn } from "@/components/ui/form/field";
import { SelectField } from "@/components/ui/form/input-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import type { GatewayFailure } from "@/lib/gateway/result";
import { keyText } from "@/lib/operator/provider-labels";
import type { Words } from "@/messages/words";
import { type KeyRow, keyNameProblem, newKeyOf, newRow, rowOf, sharesSentence } from "./key-shares.ts";

type Credentials = NonNullable<ProviderUpdate["credentials"]>;

interface Values {
  region: RegionName | undefined;
  /** Whether other regions with the same keys get the new ones too. */
  everywhere: boolean;
  keys: KeyRow[];
}

interface SeveralKeysDialogProps {
  provider: OperatorProvider;
  save: (credentials: Credentials) => Promise<GatewayFailure | null>;
  onClose: () => void;
}

/** The keys of one region, and each key's share of the calls. */
export function SeveralKeysDialog({ provider, save, onClose }: SeveralKeysDialogProps) {
  const t = useWords("providers");
  const shared = useWords("operator");
  const first = provider.credentials[0]?.region;
  return (
    <ResourceDialog<Values>
      title={t("keysOfName", { name: provider.name })}
      defaults={{ region: first, everywhere: true, keys: rowsOf(shared, provider, first) }}
      names={[]}
      submitLabel={t("saveKeys")}
      save={async ({ region, everywhere, keys }) => {
        if (!region) return null;
        const body = { keys: keys.map(newKeyOf) };
        const regions = everywhere ? [region, ...regionsLike(provider, region)] : [region];
        return await save(Object.fromEntries(regions.map((name) => [name, body])));
      }}
      onClose={onClose}
    >
      {(form) => <KeyRows form={form} provider={provider} />}
    </ResourceDialog>
  );
}

interface KeyRowsProps {
  form: UseFormReturn<Values>;
  provider: OperatorProvider;
}

function KeyRows({ form, provider }: KeyRowsProps) {
  const t = useWords("providers");
  const shared = useWords("operator");
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "keys" });
  const { errors } = form.formState;
  const [region, rows] = form.watch(["region", "keys"]);
  const alike = regionsLike(provider, region);
  const choose = (next: RegionName) =>
    form.reset({ ...form.getValues(), region: next, keys: rowsOf(shared, provider, next) });

  return (
    <>
      {provider.credentials.length > 1 && (
        <SelectField
          label={t("region")}
          hint={t("eachRegionHasItsOwn")}
          value={region}
          onValue={choose}
          options={provider.credentials.map(({ region: name }) => name)}
        />
      )}
      {alike.length > 0 && (
        <Checkbox {...form.register("everywhere")} label={t("alsoInRegions", { count: alike.length })} />
      )}
      <ol className="space-y-4">
        {fields.map(({ id, stored, name }, at) => {
          const wrong = errors.keys?.[at];
          return (
            <li key={id} className="space-y-3 rounded-panel border p-3">
              <div className="flex items-start gap-2">
                <div className="min-w-0 flex-1">
                  {stored === null ? (
                    <TextField
                      form={form}
                      name={`keys.${at}.name`}
                      rule={providerFields.keyName}
                      label={t("name")}
                      check={(text) =>
                        keyNameProblem(
                          t,
                          text,
                          rows.toSpliced(at, 1).map((other) => other.name),
                        )
                      }
                    />
                  ) : (
                    <p className="wrap-anywhere">
                      <span className="font-medium">{name}</span>{" "}
                      <span className="text-muted">{t("keyStored", { stored })}</span>
                    </p>
                  )}
                </div>
                <IconButton
                  size="sm"
                  label={t("removeTheKey", { name: rows[at]?.name ?? name })}
                  icon={<Trash2 size={14} aria-hidden />}
                  disabled={fields.length === 1}
                  onClick={() => remove(at)}
                />
              </div>
              {stored === null && (
                <PasswordField
                  label={t("apiKey")}
                  rule={providerFields.key}
                  hint={t("pasteTheKeyOrEnter")}
                  error={wrong?.secret?.message}
                  {...form.register(`keys.${at}.secret`, {
                    validate: filledIn(providerFields.key, t("pasteTheKey")),
                  })}
                  what="key"
                  // Password managers must not offer to save this value: it is not a password of this site.
                  autoComplete="new-password"
                  data-1p-ignore
                  look="font-mono"
                />
              )}
              <div className="grid gap-3 phone:grid-cols-3">
                <NumberField
                  form={form}
                  name={`keys.${at}.share`}
                  label={t("share")}
                  bounds={providerKeyRates.share}
                />
                <NumberField
                  form={form}
                  name={`keys.${at}.perMinute`}
                  label={t("callsPerMinute")}
                  bounds={providerKeyRates.per_minute}
                  placeholder={t("any")}
                />
                <NumberField
                  form={form}
                  name={`keys.${at}.concurrency`}
                  label={t("callsAtOnce")}
                  bounds={providerKeyRates.concurrency}
                  placeholder={t("any")}
                />
              </div>
            </li>
          );
        })}
      </ol>
      {fields.length < providerKeyLimits.perRegion && (
        <Button icon={<Plus size={14} aria-hidden />} onClick={() => append(newRow(rows))}>
          {t("addAKey")}
        </Button>
      )}
      <p className="rounded-control bg-sunken px-3 py-2 text-table wrap-anywhere" aria-live="polite">
        {t("rowsLimitsApplyToEach", { rows: sharesSentence(t, rows) })}
      </p>
    </>
  );
}

/** The stored keys of a region, or an empty row. */
function rowsOf(t: Words<"operator">, provider: OperatorProvider, region: RegionName | undefined): KeyRow[] {
  const rows = (credentialOf(provider, region)?.keys ?? [])
    .filter(({ has_key }) => has_key)
    .map((key) => rowOf(key, keyText(t, key)));
  return rows.length > 0 ? rows : [newRow([])];
}

/** The other regions that have the same keys. */
function regionsLike(provider: OperatorProvider, region: RegionName | undefined): RegionName[] {
  const signature = signatureOf(credentialOf(provider, region));
  return provider.credentials
    .filter((other) => other.region !== region && signatureOf(other) === signature)
    .map((other) => other.region);
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
