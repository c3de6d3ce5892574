"use client";

import { useController, useFormContext } from "react-hook-form";
import { providerFields } from "#contract/operator/constants.ts";
import { useWords } from "#words";
import { PasswordField } from "@/components/auth/password-field";
import { TextField } from "@/components/ui/form/bound-fields";
import { InputField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { type KeyValues, keyProblem, outputOriginsProblem } from "./provider-values.ts";

const exampleReference = "env:GATEHOUSE_KEY_OPENAI";

/**
 * The value `credential` of the form: the key, which is never shown again, or the place where the gateway reads
 * it. `keyUrl` is the page where a person gets a key.
 */
export function KeyFields({ keyUrl }: { keyUrl: string | null }) {
  const t = useWords("providers");
  const { control } = useFormContext<{ credential: KeyValues }>();
  const { field, fieldState } = useController({
    control,
    name: "credential",
    rules: { validate: (values) => keyProblem(t, values) },
  });
  const { value, onChange, ref } = field;
  const error = fieldState.error?.message;
  return (
    <div className="space-y-3">
      <RadioGroup
        legend={t("key")}
        appearance="segments"
        value={value.kind}
        onChange={(kind) => onChange({ ...value, kind })}
        options={[
          { value: "key", label: t("pasteAKey") },
          { value: "ref", label: t("readFromAVariableOr") },
          { value: "none", label: t("noKey") },
        ]}
      />
      {value.kind === "key" && (
        <PasswordField
          label={t("apiKey")}
          rule={providerFields.key}
          hint={
            <>
              {t("encryptedInTheDatabase")}{" "}
              {keyUrl && (
                <a href={keyUrl} target="_blank" rel="noreferrer" className="text-accent underline">
                  {t("getAKey")}
                </a>
              )}
            </>
          }
          error={error}
          ref={ref}
          what="key"
          // Password managers must not offer to save this value: it is not a password of this site.
          autoComplete="new-password"
          data-1p-ignore
          look="font-mono"
          value={value.key}
          onValue={(key) => onChange({ ...value, key })}
        />
      )}
      {value.kind === "ref" && (
        <InputField
          label={t("whereTheKeyIsStored")}
          rule={providerFields.keyReference}
          hint={t("envGatehouseKeyNameReads")}
          error={error}
          ref={ref}
          mono
          placeholder={exampleReference}
          autoComplete="off"
          value={value.ref}
          onValue={(ref) => onChange({ ...value, ref })}
        />
      )}
    </div>
  );
}

/** Where an upstream on a private network may store its outputs. For a form with the field `outputOrigins`. */
export function OutputOriginsField() {
  const t = useWords("providers");
  return (
    <TextField
      form={useFormContext<{ outputOrigins: string }>()}
      name="outputOrigins"
      label={t("originsOfOutputs")}
      hint={t("onlyNeededIfResultsAre")}
      check={(text) => outputOriginsProblem(t, text)}
      rows={2}
      mono
    />
  );
}
