"use client";

import type { Incident, IncidentUpdateCreate } from "#contract/status.ts";
import { incidentFields, incidentStatuses } from "#contract/status-constants.ts";
import { Field } from "@/components/ui/form/field";
import { Select } from "@/components/ui/form/input";
import { ResourceDialog, TextField } from "@/components/ui/form/resource-dialog";
import { settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { incidentStatusLabel } from "@/lib/status/service";

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
            missing="Enter what is new."
            rows={4}
          />
        </>
      )}
    </ResourceDialog>
  );
}
