"use client";

import { CircleAlert, CircleCheck, FlaskConical } from "lucide-react";
import { useState } from "react";
import type { Destination, DestinationTest } from "#contract/copies.ts";
import { destinationFields } from "#contract/copy-constants.ts";
import { useWords } from "#words";
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
import { CopyFailure } from "./copy-failure.tsx";

interface DestinationDialogProps {
  /** Null: the dialog creates a new destination. */
  destination: Destination | null;
  onClose: () => void;
  onSaved: (destination: Destination) => void;
}

const [nameExample, urlExample, modelExample] = [
  "gallery",
  "https://s3.eu-central-1.amazonaws.com",
  "svc/img-gen-a-1",
];
const place = ["endpoint_url", "region", "bucket", "prefix", "access_key_id", "secret_access_key"] as const;

/** The form of a destination; a new one can be tested before it is saved. */
export function DestinationDialog({ destination, onClose, onSaved }: DestinationDialogProps) {
  const t = useWords("destinations");
  const isNew = destination === null;
  const [testing, setTesting] = useState(false);
  const [result, setResult] = useState<DestinationTest | null>(null);
  return (
    <ResourceDialog<DestinationValues>
      title={isNew ? t("addDestination") : t("editDestination")}
      description={t("aBucketOfAnyS3")}
      defaults={isNew ? emptyDestination : valuesOfDestination(destination)}
      submitLabel={isNew ? t("addDestination") : t("saveChanges")}
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
              {t("test")}
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
            label={t("name")}
            missing={t("enterAName")}
            spellCheck={false}
            placeholder={nameExample}
          />
          <TextField
            form={form}
            name="endpoint_url"
            rule={destinationFields.endpoint_url}
            label={t("server")}
            hint={t("theAddressOfTheS3")}
            missing={t("enterTheAddressOfThe")}
            spellCheck={false}
            type="url"
            inputMode="url"
            placeholder={urlExample}
          />
          <div className="grid grid-cols-2 gap-3 max-phone:grid-cols-1">
            <TextField
              form={form}
              name="bucket"
              rule={destinationFields.bucket}
              label={t("bucket")}
              missing={t("enterTheNameOfThe")}
              mono
            />
            <TextField
              form={form}
              name="region"
              rule={destinationFields.region}
              label={t("region")}
              missing={t("enterTheRegionManyServers")}
              mono
            />
          </div>
          <TextField
            form={form}
            name="prefix"
            rule={destinationFields.prefix}
            label={t("prefix")}
            hint={t("theBeginningOfEachObjects")}
            mono
          />
          <div className="grid grid-cols-2 gap-3 max-phone:grid-cols-1">
            <TextField
              form={form}
              name="access_key_id"
              rule={destinationFields.access_key_id}
              label={t("accessKeyId")}
              missing={t("enterTheAccessKeyId")}
              mono
            />
            <TextField
              form={form}
              name="secret_access_key"
              rule={destinationFields.secret_access_key}
              optional={!isNew}
              label={t("secretAccessKey")}
              hint={isNew ? undefined : t("leaveItEmptyToKeep", { secrethint: destination.secret_hint })}
              missing={t("enterTheSecretAccessKey")}
              type="password"
              autoComplete="new-password"
              mono
            />
          </div>
          <Checkbox
            {...form.register("path_style")}
            label={t("theBucketIsInThe")}
            hint={t("mostServersNeedThisOtherwise")}
          />
          <Chosen form={form} name="automatic">
            {(field) => (
              <RadioGroup
                {...field}
                legend={t("automaticCopiesAsSoonAs")}
                options={[
                  { value: "off", label: t("nothing"), hint: t("onlyYourself") },
                  { value: "chosen", label: t("ofChosenModels") },
                  { value: "all", label: t("ofAllModels"), hint: t("gatedOnlyIfChosen") },
                ]}
              />
            )}
          </Chosen>
          {form.watch("automatic") === "chosen" && (
            <TextField
              form={form}
              name="models"
              rule={destinationFields.models}
              label={t("models")}
              hint={t("idsOfModelsOnePer")}
              missing={t("nameAtLeastOneModel")}
              rows={3}
              mono
              placeholder={modelExample}
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
  const t = useWords("destinations");
  return error ? (
    <p className="flex gap-2 rounded-panel border border-bad bg-bad-soft p-3 text-base wrap-anywhere">
      <CircleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <span>
        <span className="font-semibold">{t("theTestFailed")}</span> <CopyFailure failure={error} />
      </span>
    </p>
  ) : (
    <p className="flex gap-2 rounded-panel border bg-sunken p-3 text-base wrap-anywhere">
      <CircleCheck size={18} aria-hidden className="mt-0.5 shrink-0 text-good" />
      <span>
        <span className="font-semibold">{t("theTestWorked")}</span> {warning ?? t("aSmallObjectWasWritten")}
      </span>
    </p>
  );
}
