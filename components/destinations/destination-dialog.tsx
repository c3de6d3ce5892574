"use client";

import { CircleAlert, CircleCheck, FlaskConical } from "lucide-react";
import { useState } from "react";
import type { Destination, DestinationTest } from "#contract/copies.ts";
import { destinationFields } from "#contract/copy-constants.ts";
import { Button } from "@/components/ui/button";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { Checkbox } from "@/components/ui/form/checkbox";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { answerOf, settle } from "@/lib/browser/action-answer";
import {
  changeOf,
  creationOf,
  type DestinationValues,
  emptyDestination,
  tryOf,
  valuesOfDestination,
} from "@/lib/destinations/destination-values";
import { act } from "@/lib/gateway/act";

interface DestinationDialogProps {
  /** Null: the dialog creates a new destination. */
  destination: Destination | null;
  onClose: () => void;
  onSaved: (destination: Destination) => void;
}

const place = ["endpoint_url", "region", "bucket", "prefix", "access_key_id", "secret_access_key"] as const;

const automaticOptions = [
  { value: "off", label: "Nothing", hint: "Only files that you copy yourself" },
  { value: "chosen", label: "Files of chosen models" },
  {
    value: "all",
    label: "Files of all models",
    hint: "Outputs of models that need an attestation are copied only if you choose those models.",
  },
] as const;

/** The form of a destination; a new one can be tested before it is saved. */
export function DestinationDialog({ destination, onClose, onSaved }: DestinationDialogProps) {
  const isNew = destination === null;
  const [testing, setTesting] = useState(false);
  const [result, setResult] = useState<DestinationTest | null>(null);
  return (
    <ResourceDialog<DestinationValues>
      title={isNew ? "Add destination" : "Edit destination"}
      description="A bucket of any S3 server that is reachable on the internet. The secret key is stored encrypted and never shown again."
      defaults={isNew ? emptyDestination : valuesOfDestination(destination)}
      submitLabel={isNew ? "Add destination" : "Save changes"}
      save={(values) =>
        settle(
          isNew
            ? act("POST /destinations", { body: creationOf(values) })
            : act("PATCH /destinations/{id}", {
                params: { id: destination.id },
                body: changeOf(values, destination),
              }),
          onSaved,
        )
      }
      onClose={onClose}
      buttons={(form, show) => {
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
        return (
          isNew && (
            <Button icon={<FlaskConical size={16} aria-hidden />} busy={testing} onClick={tryIt}>
              Test
            </Button>
          )
        );
      }}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="name"
            rule={destinationFields.name}
            label="Name"
            missing="Enter a name."
            spellCheck={false}
            placeholder="Gallery"
          />
          <TextField
            form={form}
            name="endpoint_url"
            rule={destinationFields.endpoint_url}
            label="Server"
            hint="The address of the S3 server without the bucket, such as https://s3.eu-central-1.amazonaws.com"
            missing="Enter the address of the server, starting with https://"
            spellCheck={false}
            type="url"
            inputMode="url"
            placeholder="https://s3.eu-central-1.amazonaws.com"
          />
          <div className="grid grid-cols-2 gap-3 max-phone:grid-cols-1">
            <TextField
              form={form}
              name="bucket"
              rule={destinationFields.bucket}
              label="Bucket"
              missing="Enter the name of the bucket."
              mono
            />
            <TextField
              form={form}
              name="region"
              rule={destinationFields.region}
              label="Region"
              missing="Enter the region. Many servers accept us-east-1."
              mono
            />
          </div>
          <TextField
            form={form}
            name="prefix"
            rule={destinationFields.prefix}
            label="Prefix"
            hint="The beginning of each object's name, before the run's id and the file's number."
            mono
          />
          <div className="grid grid-cols-2 gap-3 max-phone:grid-cols-1">
            <TextField
              form={form}
              name="access_key_id"
              rule={destinationFields.access_key_id}
              label="Access key id"
              missing="Enter the access key id."
              mono
            />
            <TextField
              form={form}
              name="secret_access_key"
              rule={destinationFields.secret_access_key}
              optional={!isNew}
              label="Secret access key"
              hint={
                isNew ? undefined : `Leave it empty to keep the one that ends in ${destination.secret_hint}.`
              }
              missing="Enter the secret access key."
              type="password"
              autoComplete="new-password"
              mono
            />
          </div>
          <Checkbox
            {...form.register("path_style")}
            label="The bucket is in the path"
            hint="Most servers need this. Otherwise the bucket is part of the host name."
          />
          <Chosen form={form} name="automatic">
            {(field) => (
              <RadioGroup
                {...field}
                legend="Automatic copies, as soon as a file is created"
                options={automaticOptions}
              />
            )}
          </Chosen>
          {form.watch("automatic") === "chosen" && (
            <TextField
              form={form}
              name="models"
              rule={destinationFields.models}
              label="Models"
              hint="Ids of models, one per line."
              missing="Name at least one model."
              rows={3}
              mono
              placeholder="svc/img-gen-a-1"
            />
          )}
          <div role="status">{result && <TestResult result={result} />}</div>
        </>
      )}
    </ResourceDialog>
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
