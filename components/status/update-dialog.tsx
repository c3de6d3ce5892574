"use client";

import { useForm } from "react-hook-form";
import type { Incident, IncidentUpdateCreate } from "#contract/status.ts";
import { incidentBounds, incidentStatuses } from "#contract/status-constants.ts";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { Select, Textarea } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { incidentStatusLabel } from "@/lib/status/service";

interface UpdateDialogProps {
  incident: Incident;
  onAdded: () => void;
  onClose: () => void;
}

const fields = ["status", "text"] as const;

export function UpdateDialog({ incident, onAdded, onClose }: UpdateDialogProps) {
  const form = useForm<IncidentUpdateCreate>({ defaultValues: { status: incident.status, text: "" } });
  const { errors, isSubmitting } = form.formState;
  const { failure, send } = useSend({ names: fields, setError: form.setError });
  const submit = form.handleSubmit(async ({ status, text }) => {
    const body = { status, text: text.trim() };
    const of = { params: { id: incident.id } };
    const answer = await send(() => answerOf(act("POST /operator/incidents/{id}/updates", { ...of, body })));
    if (answer.ok) onAdded();
  });
  return (
    <FormDialog open busy={isSubmitting} onClose={onClose} title="Add an update" description={incident.title}>
      <form onSubmit={submit} noValidate autoComplete="off" className="space-y-4">
        <Field label="Status" error={errors.status?.message}>
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
        <Field label="Text" required error={errors.text?.message}>
          {(aria) => (
            <Textarea
              {...aria}
              {...form.register("text", { validate: (text) => text.trim() !== "" || "Enter what is new." })}
              maxLength={incidentBounds.textCharacters}
            />
          )}
        </Field>
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Publish
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}
