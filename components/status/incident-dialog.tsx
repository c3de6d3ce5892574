"use client";

import { Controller, useForm } from "react-hook-form";
import { type RegionName, regionNames } from "#contract/catalog-constants.ts";
import type { Incident } from "#contract/status.ts";
import {
  type IncidentImpact,
  type IncidentStatus,
  incidentBounds,
  incidentImpacts,
  incidentStatuses,
} from "#contract/status-constants.ts";
import { CheckList } from "@/components/keys/check-list";
import { usePreferences } from "@/components/shell/preferences";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { Input, Select, Textarea } from "@/components/ui/form/input";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { fromLocalInput, toLocalInput } from "@/lib/local-time";
import { impactLook, incidentStatusLabel } from "@/lib/status/service";

interface IncidentDialogProps {
  /** Null: create a new one. */
  incident: Incident | null;
  models: readonly string[];
  onSaved: () => void;
  onClose: () => void;
}

interface Values {
  title: string;
  impact: IncidentImpact;
  status: IncidentStatus;
  text: string;
  started_at: string;
  models: string[];
  regions: RegionName[];
}

const fields = ["title", "impact", "status", "text", "started_at", "models", "regions"] as const;

export function IncidentDialog({ incident, models, onSaved, onClose }: IncidentDialogProps) {
  const isUtc = usePreferences().timeZone === "UTC";
  const form = useForm<Values>({
    defaultValues: {
      title: incident?.title ?? "",
      impact: incident?.impact ?? "minor",
      status: "investigating",
      text: "",
      started_at: incident ? toLocalInput(incident.started_at, isUtc) : "",
      models: incident?.models ?? [],
      regions: incident?.regions ?? [],
    },
  });
  const { errors, isSubmitting } = form.formState;
  const { failure, send } = useSend({ names: fields, setError: form.setError });
  const impact = form.watch("impact");
  const submit = form.handleSubmit(async ({ status, text, started_at: startedAt, ...values }) => {
    const body = {
      ...values,
      title: values.title.trim(),
      ...(startedAt && { started_at: fromLocalInput(startedAt, isUtc) }),
    };
    const save = () =>
      incident
        ? act("PATCH /operator/incidents/{id}", { params: { id: incident.id }, body })
        : act("POST /operator/incidents", { body: { ...body, status, text: text.trim() } });
    const answer = await send(() => answerOf(save()));
    if (answer.ok) onSaved();
  });

  return (
    <FormDialog
      open
      busy={isSubmitting}
      onClose={onClose}
      title={incident ? "Change the incident" : "Write an incident"}
      description="Shown on the status page to everybody who can see one of its models."
    >
      <form onSubmit={submit} noValidate autoComplete="off" className="space-y-4">
        <Field label="Title" required error={errors.title?.message}>
          {(aria) => (
            <Input
              {...aria}
              {...form.register("title", { validate: (title) => title.trim() !== "" || "Enter a title." })}
              maxLength={incidentBounds.titleCharacters}
              placeholder="Chats are slow in Virginia"
            />
          )}
        </Field>
        <Controller
          control={form.control}
          name="impact"
          render={({ field }) => (
            <RadioGroup
              legend="Impact"
              appearance="segments"
              value={field.value}
              onChange={field.onChange}
              options={incidentImpacts.map((value) => ({ value, label: impactLook(value).label }))}
            />
          )}
        />
        {!incident && (
          <>
            <Field label="Status" error={errors.status?.message}>
              {(aria) => (
                <Select {...aria} {...form.register("status")}>
                  {incidentStatuses.map((value) => (
                    <option key={value} value={value}>
                      {incidentStatusLabel(value, impact)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label="Text" required error={errors.text?.message}>
              {(aria) => (
                <Textarea
                  {...aria}
                  {...form.register("text", {
                    validate: (text) => text.trim() !== "" || "Enter what is known.",
                  })}
                  maxLength={incidentBounds.textCharacters}
                />
              )}
            </Field>
          </>
        )}
        <Field
          label="Start"
          hint={`${incident ? "" : "Leave it empty for now. "}In ${isUtc ? "UTC" : "your time zone"}; planned work may start later.`}
          error={errors.started_at?.message}
        >
          {(aria) => <Input {...aria} {...form.register("started_at")} type="datetime-local" step={1} />}
        </Field>
        <Controller
          control={form.control}
          name="models"
          render={({ field }) => (
            <CheckList
              legend="Models"
              scrolls
              hint="None: it concerns no specific model."
              options={models.map((value) => ({ value, label: value }))}
              value={field.value}
              onChange={field.onChange}
              error={errors.models?.message}
            />
          )}
        />
        <Controller
          control={form.control}
          name="regions"
          render={({ field }) => (
            <CheckList
              legend="Regions"
              options={regionNames.map((value) => ({ value, label: value }))}
              value={field.value}
              onChange={field.onChange}
              error={errors.regions?.message}
            />
          )}
        />
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {incident ? "Save" : "Publish"}
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}
