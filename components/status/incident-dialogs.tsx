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
import { useWords } from "#words";
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
  const t = useWords("status");
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
      title={incident ? t("changeTheIncident") : t("writeAnIncident")}
      description={t("shownOnTheStatusPage")}
      defaults={{
        title: incident?.title ?? "",
        impact: incident?.impact ?? "minor",
        status: "investigating",
        text: "",
        started_at: incident ? toLocalInput(incident.started_at, isUtc) : "",
        models: incident?.models ?? [],
        regions: incident?.regions ?? [],
      }}
      submitLabel={incident ? t("save") : t("publish")}
      save={save}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="title"
            rule={incidentFields.title}
            label={t("title")}
            missing={t("enterATitle")}
            placeholder={t("chatsAreSlowInVirginia")}
          />
          <Chosen form={form} name="impact">
            {(field) => (
              <RadioGroup
                {...field}
                legend={t("impact")}
                appearance="segments"
                options={incidentImpacts.map((value) => ({ value, label: impactLook(t, value).label }))}
              />
            )}
          </Chosen>
          {!incident && (
            <>
              <SelectField
                label={t("status")}
                error={form.formState.errors.status?.message}
                {...form.register("status")}
                options={incidentStatuses.map((value) => [
                  value,
                  incidentStatusLabel(t, value, form.watch("impact")),
                ])}
              />
              <TextField
                form={form}
                name="text"
                rule={incidentFields.text}
                label={t("text")}
                missing={t("enterWhatIsKnown")}
                rows={4}
              />
            </>
          )}
          <TextField
            form={form}
            name="started_at"
            label={t("start")}
            hint={t(incident ? "startHint" : "startHintOfNew", { zone: isUtc ? "utc" : "own" })}
            type="datetime-local"
            step={1}
          />
          <Chosen form={form} name="models">
            {(field) => (
              <CheckList
                {...field}
                legend={t("models")}
                scrolls
                hint={t("ifNoneIsChosenThe")}
                options={models.map((value) => ({ value, label: value }))}
              />
            )}
          </Chosen>
          <Chosen form={form} name="regions">
            {(field) => (
              <CheckList
                {...field}
                legend={t("regions")}
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
  const t = useWords("status");
  const of = { params: { id: incident.id } };
  return (
    <ResourceDialog<IncidentUpdateCreate>
      title={t("addAnUpdate")}
      description={incident.title}
      defaults={{ status: incident.status, text: "" }}
      submitLabel={t("publish")}
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
            label={t("status")}
            error={form.formState.errors.status?.message}
            {...form.register("status")}
            options={incidentStatuses.map((value) => [value, incidentStatusLabel(t, value, incident.impact)])}
          />
          <TextField
            form={form}
            name="text"
            rule={incidentFields.text}
            label={t("text")}
            missing={t("enterTheTextOfThe")}
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
  const t = useWords("status");
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
      title={t("deleteTheIncident")}
      body={t("deleteMeans", { title: incident.title })}
      confirmLabel={t("delete")}
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={submit}
    />
  );
}
