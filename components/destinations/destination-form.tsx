"use client";

import { CircleAlert, CircleCheck, FlaskConical } from "lucide-react";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import type { DestinationTest } from "#contract/copies.ts";
import { destinationLimits as limits } from "#contract/copy-constants.ts";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Field } from "@/components/ui/form/field";
import { FormActions } from "@/components/ui/form/form-actions";
import { Input, Textarea } from "@/components/ui/form/input";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import { type DestinationValues, tryOf } from "@/lib/destinations/destination-values";
import { act } from "@/lib/gateway/act";
import type { GatewayFailure } from "@/lib/gateway/result";

interface DestinationFormProps {
  initial: DestinationValues;
  /** Hint for the stored secret; null: none is stored yet. */
  secretHint: string | null;
  submitLabel: string;
  /** Resolves to the failure to show, or null on success. */
  submit: (values: DestinationValues) => Promise<GatewayFailure | null>;
  onCancel: () => void;
}

const fields = [
  "name",
  "endpoint_url",
  "region",
  "bucket",
  "prefix",
  "access_key_id",
  "secret_access_key",
  "models",
] as const;
const place = ["endpoint_url", "region", "bucket", "prefix", "access_key_id", "secret_access_key"] as const;

const automaticOptions = [
  { value: "off", label: "Nothing", hint: "Only files that you copy yourself." },
  { value: "chosen", label: "Files of chosen models" },
  {
    value: "all",
    label: "Files of all models",
    hint: "Outputs of models that need an attestation are left out unless you choose those models.",
  },
] as const;

export function DestinationForm({
  initial,
  secretHint,
  submitLabel,
  submit,
  onCancel,
}: DestinationFormProps) {
  const form = useForm<DestinationValues>({ defaultValues: initial });
  const { errors, isSubmitting } = form.formState;
  const { failure, attempt, show } = useSend({ names: fields, setError: form.setError });
  const [testing, setTesting] = useState(false);
  const [result, setResult] = useState<DestinationTest | null>(null);
  const automatic = form.watch("automatic");

  const send = form.handleSubmit(async (values) => {
    await attempt(() => submit(values));
  });
  const tryIt = async () => {
    setResult(null);
    show(null);
    if (!(await form.trigger(place, { shouldFocus: true }))) return;
    setTesting(true);
    const answer = await answerOf(act("POST /destinations/test", { body: tryOf(form.getValues()) }));
    setTesting(false);
    if (answer.ok) setResult(answer.data);
    else show(answer.error);
  };
  const text = (name: (typeof fields)[number], required?: string) => ({
    ...form.register(name, required === undefined ? {} : { required }),
    autoComplete: "off",
    spellCheck: false,
  });

  return (
    <form onSubmit={send} noValidate className="space-y-4">
      <Field label="Name" required error={errors.name?.message}>
        {(aria) => (
          <Input
            {...aria}
            {...text("name", "Enter a name.")}
            maxLength={limits.nameLength}
            placeholder="Gallery"
          />
        )}
      </Field>
      <Field
        label="Server"
        required
        hint="The address of the S3 server without the bucket, such as https://s3.eu-central-1.amazonaws.com"
        error={errors.endpoint_url?.message}
      >
        {(aria) => (
          <Input
            {...aria}
            {...text("endpoint_url", "Enter the address of the server, starting with https://")}
            maxLength={limits.addressLength}
            type="url"
            inputMode="url"
            placeholder="https://s3.eu-central-1.amazonaws.com"
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3 max-phone:grid-cols-1">
        <Field label="Bucket" required error={errors.bucket?.message}>
          {(aria) => (
            <Input {...aria} {...text("bucket", "Enter the name of the bucket.")} className="font-mono" />
          )}
        </Field>
        <Field label="Region" required error={errors.region?.message}>
          {(aria) => (
            <Input
              {...aria}
              {...text("region", "Enter the region; many servers take us-east-1.")}
              maxLength={limits.regionLength}
              className="font-mono"
            />
          )}
        </Field>
      </div>
      <Field
        label="Prefix"
        hint="Before the name of each object: prefix, then the id of the run, then its number."
        error={errors.prefix?.message}
      >
        {(aria) => (
          <Input {...aria} {...text("prefix")} maxLength={limits.prefixLength} className="font-mono" />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3 max-phone:grid-cols-1">
        <Field label="Access key id" required error={errors.access_key_id?.message}>
          {(aria) => (
            <Input
              {...aria}
              {...text("access_key_id", "Enter the access key id.")}
              maxLength={limits.accessKeyLength}
              className="font-mono"
            />
          )}
        </Field>
        <Field
          label="Secret access key"
          required={secretHint === null}
          error={errors.secret_access_key?.message}
          hint={
            secretHint === null ? undefined : `Leave it empty to keep the one that ends in ${secretHint}.`
          }
        >
          {(aria) => (
            <Input
              {...aria}
              {...text("secret_access_key", secretHint === null ? "Enter the secret access key." : undefined)}
              maxLength={limits.secretLength}
              type="password"
              autoComplete="new-password"
              className="font-mono"
            />
          )}
        </Field>
      </div>
      <Checkbox
        {...form.register("path_style")}
        label="The bucket is in the path"
        hint="Right for most servers. Otherwise the bucket is part of the host name."
      />
      <Controller
        control={form.control}
        name="automatic"
        render={({ field }) => (
          <RadioGroup
            legend="Automatic copies, as soon as a file is made"
            options={automaticOptions}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
      {automatic === "chosen" && (
        <Field label="Models" required hint="Ids, one per line." error={errors.models?.message}>
          {(aria) => (
            <Textarea
              {...aria}
              {...text("models", "Name at least one model.")}
              rows={3}
              className="font-mono"
              placeholder="svc/img-gen-a-1"
            />
          )}
        </Field>
      )}
      <div role="status">{result && <TestResult result={result} />}</div>
      {failure && <ErrorPanel error={failure} />}
      <FormActions>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        {secretHint === null && (
          <Button icon={<FlaskConical size={16} aria-hidden />} busy={testing} onClick={tryIt}>
            Test
          </Button>
        )}
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {submitLabel}
        </Button>
      </FormActions>
    </form>
  );
}

/** The result of a test in plain words. */
function TestResult({ result: { error, warning } }: { result: DestinationTest }) {
  return error ? (
    <p className="flex gap-2 rounded-panel border border-bad bg-bad-soft p-3 text-base wrap-anywhere">
      <CircleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <span>
        <span className="font-semibold">The test failed.</span> {error.message}
      </span>
    </p>
  ) : (
    <p className="flex gap-2 rounded-panel border bg-sunken p-3 text-base wrap-anywhere">
      <CircleCheck size={18} aria-hidden className="mt-0.5 shrink-0 text-good" />
      <span>
        <span className="font-semibold">The test worked.</span>{" "}
        {warning ?? "A small object was written and removed again."}
      </span>
    </p>
  );
}
