"use client";

import { type RegionName, regionNames } from "#contract/catalog-constants.ts";
import type { Incident, IncidentUpdateCreate } from "#contract/status.ts";
import {
  type IncidentImpact,
  type IncidentStatus,
  incidentFields,
  incidentImpacts,
  incidentStatuses,
} from "#contract/status-constants.ts";
import { CheckList } from "@/components/keys/check-list";
import { usePreferences } from "@/components/shell/preferences";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { SelectField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { answerOf, settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { fromLocalInput, toLocalInput } from "@/lib/local-time";
import { impactLook, incidentStatusLabel } from "@/lib/status/service";

interface IncidentDialogProps {
  /** Null: the dialog writes a new incident. */
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

export function IncidentDialog({ incident, models, onSaved, onClose }: IncidentDialogProps) {
  const isUtc = usePreferences().timeZone === "UTC";
  const save = ({ status, text, started_at: startedAt, ...values }: Values) => {
    const body = {
      ...values,
      title: values.title.trim(),
      ...(startedAt && { started_at: fromLocalInput(startedAt, isUtc) }),
    };
    return settle<unknown>(
      incident
        ? act("PATCH /operator/incidents/{id}", { params: { id: incident.id }, body })
        : act("POST /operator/incidents", { body: { ...body, status, text: text.trim() } }),
      onSaved,
    );
  };

  return (
    <ResourceDialog<Values>
      title={incident ? "Change the incident" : "Write an incident"}
      description="Shown on the status page to everybody who can see one of the affected models."
      defaults={{
        title: incident?.title ?? "",
        impact: incident?.impact ?? "minor",
        status: "investigating",
        text: "",
        started_at: incident ? toLocalInput(incident.started_at, isUtc) : "",
        models: incident?.models ?? [],
        regions: incident?.regions ?? [],
      }}
      submitLabel={incident ? "Save" : "Publish"}
      save={save}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="title"
            rule={incidentFields.title}
            label="Title"
            missing="Enter a title."
            placeholder="Chats are slow in Virginia"
          />
          <Chosen form={form} name="impact">
            {(field) => (
              <RadioGroup
                {...field}
                legend="Impact"
                appearance="segments"
                options={incidentImpacts.map((value) => ({ value, label: impactLook(value).label }))}
              />
            )}
          </Chosen>
          {!incident && (
            <>
              <SelectField
                label="Status"
                error={form.formState.errors.status?.message}
                {...form.register("status")}
                options={incidentStatuses.map((value) => [
                  value,
                  incidentStatusLabel(value, form.watch("impact")),
                ])}
              />
              <TextField
                form={form}
                name="text"
                rule={incidentFields.text}
                label="Text"
                missing="Enter what is known."
                rows={4}
              />
            </>
          )}
          <TextField
            form={form}
            name="started_at"
            label="Start"
            hint={`${incident ? "" : "Leave the field empty for now. "}In ${isUtc ? "UTC" : "your time zone"}; planned work may start later.`}
            type="datetime-local"
            step={1}
          />
          <Chosen form={form} name="models">
            {(field) => (
              <CheckList
                {...field}
                legend="Models"
                scrolls
                hint="If none is chosen, the incident concerns no specific model."
                options={models.map((value) => ({ value, label: value }))}
              />
            )}
          </Chosen>
          <Chosen form={form} name="regions">
            {(field) => (
              <CheckList
                {...field}
                legend="Regions"
                options={regionNames.map((value) => ({ value, label: value }))}
              />
            )}
          </Chosen>
        </>
      )}
    </ResourceDialog>
  );
}

interface UpdateDialogProps {
  incident: Incident;
  onAdded: () => void;
  onClose: () => void;
}

export function UpdateDialog({ incident, onAdded, onClose }: UpdateDialogProps) {
  const of = { params: { id: incident.id } };
  return (
    <ResourceDialog<IncidentUpdateCreate>
      title="Add an update"
      description={incident.title}
      defaults={{ status: incident.status, text: "" }}
      submitLabel="Publish"
      save={({ status, text }) =>
        settle(
          act("POST /operator/incidents/{id}/updates", { ...of, body: { status, text: text.trim() } }),
          onAdded,
        )
      }
      onClose={onClose}
    >
      {(form) => (
        <>
          <SelectField
            label="Status"
            error={form.formState.errors.status?.message}
            {...form.register("status")}
            options={incidentStatuses.map((value) => [value, incidentStatusLabel(value, incident.impact)])}
          />
          <TextField
            form={form}
            name="text"
            rule={incidentFields.text}
            label="Text"
            missing="Enter the text of the update."
            rows={4}
          />
        </>
      )}
    </ResourceDialog>
  );
}

interface DeleteIncidentDialogProps {
  incident: Incident;
  onRemoved: () => void;
  onClose: () => void;
}

export function DeleteIncidentDialog({ incident, onRemoved, onClose }: DeleteIncidentDialogProps) {
  const { busy, failure, send } = useSend();
  const submit = async () => {
    const remove = () => act("DELETE /operator/incidents/{id}", { params: { id: incident.id } });
    const answer = await send(() => answerOf(remove()));
    if (answer.ok) onRemoved();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Delete the incident"
      body={`“${incident.title}” is deleted with its updates, also from the history. If the incident is over, add an update with the status resolved instead.`}
      confirmLabel="Delete"
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={submit}
    />
  );
}
