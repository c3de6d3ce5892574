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
import { Button } from "@/components/ui/button";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { Field } from "@/components/ui/form/field";
import { FormActions, FormDialog } from "@/components/ui/form/form-dialog";
import { Input, Select } from "@/components/ui/form/input";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
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
              <Field label="Status" error={form.formState.errors.status?.message}>
                {(aria) => (
                  <Select {...aria} {...form.register("status")}>
                    {incidentStatuses.map((value) => (
                      <option key={value} value={value}>
                        {incidentStatusLabel(value, form.watch("impact"))}
                      </option>
                    ))}
                  </Select>
                )}
              </Field>
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
          <Field
            label="Start"
            hint={`${incident ? "" : "Leave the field empty for now. "}In ${isUtc ? "UTC" : "your time zone"}; planned work may start later.`}
            error={form.formState.errors.started_at?.message}
          >
            {(aria) => <Input {...aria} {...form.register("started_at")} type="datetime-local" step={1} />}
          </Field>
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
          <Field label="Status" error={form.formState.errors.status?.message}>
            {(aria) => (
              <Select {...aria} {...form.register("status")}>
                {incidentStatuses.map((value) => (
                  <option key={value} value={value}>
                    {incidentStatusLabel(value, incident.impact)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
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
    <FormDialog open busy={busy} onClose={onClose} title="Delete the incident">
      <p className="mb-4 wrap-anywhere">
        “{incident.title}” is deleted with its updates, also from the history. If the incident is over, add an
        update with the status resolved instead.
      </p>
      {failure && <ErrorPanel error={failure} />}
      <FormActions>
        <Button onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button variant="danger" busy={busy} onClick={() => void submit()}>
          Delete
        </Button>
      </FormActions>
    </FormDialog>
  );
}
