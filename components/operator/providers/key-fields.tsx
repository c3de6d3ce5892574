"use client";

import { useController, useFormContext } from "react-hook-form";
import { providerFields } from "#contract/operator/constants.ts";
import { PasswordField } from "@/components/auth/password-field";
import { TextField } from "@/components/ui/form/bound-fields";
import { InputField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { type KeyValues, keyProblem, outputOriginsProblem } from "./provider-values.ts";

/**
 * The value `credential` of the form: the key, which is never shown again, or the place where the gateway reads
 * it. `keyUrl` is the page where a person gets a key.
 */
export function KeyFields({ keyUrl }: { keyUrl: string | null }) {
  const { control } = useFormContext<{ credential: KeyValues }>();
  const { field, fieldState } = useController({
    control,
    name: "credential",
    rules: { validate: keyProblem },
  });
  const { value, onChange, ref } = field;
  const error = fieldState.error?.message;
  return (
    <div className="space-y-3">
      <RadioGroup
        legend="Key"
        appearance="segments"
        value={value.kind}
        onChange={(kind) => onChange({ ...value, kind })}
        options={[
          { value: "key", label: "Paste a key" },
          { value: "ref", label: "Read from a variable or file" },
          { value: "none", label: "No key" },
        ]}
      />
      {value.kind === "key" && (
        <PasswordField
          label="API key"
          rule={providerFields.key}
          hint={
            <>
              Encrypted in the database and never shown again.{" "}
              {keyUrl && (
                <a href={keyUrl} target="_blank" rel="noreferrer" className="text-accent underline">
                  Get a key
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
          label="Where the key is stored"
          rule={providerFields.keyReference}
          hint="env:GATEHOUSE_KEY_NAME reads an environment variable of the gateway, file:/run/secrets/name reads a file."
          error={error}
          ref={ref}
          mono
          placeholder="env:GATEHOUSE_KEY_OPENAI"
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
  return (
    <TextField
      form={useFormContext<{ outputOrigins: string }>()}
      name="outputOrigins"
      label="Origins of outputs"
      hint="Only needed if results are on another private server. One origin per line, such as http://10.0.0.5:9000."
      check={outputOriginsProblem}
      rows={2}
      mono
    />
  );
}
