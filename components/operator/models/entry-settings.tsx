"use client";

import { Plus, X } from "lucide-react";
import { billingUnits, executionModes, regionNames } from "#contract/catalog-constants.ts";
import { modelFields } from "#contract/operator/constants.ts";
import { CheckList } from "@/components/keys/check-list";
import { Button, IconButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Input, Select } from "@/components/ui/form/input";
import { InputField, SelectField, TextareaField } from "@/components/ui/form/input-fields";
import { JsonBox } from "../json-box.tsx";
import type { EntryDraft, MediaKind } from "./entry-draft.ts";

interface EntrySettingsProps {
  draft: EntryDraft;
  onChange: (part: Partial<EntryDraft>) => void;
}

const gateLabels = [
  ["adult_attestation_required", "Adult content: the account attests its age"],
  ["portrait_rights_attestation_required", "People in images: the account attests portrait rights"],
  ["per_request_person_rights_confirmation_required", "People in images: confirmed with each request"],
] as const;

const readLabels = [
  ["image", "Pictures in messages"],
  ["audio", "Audio in messages"],
  ["file", "Files in messages"],
] as const;

const adultAge = 18;

/** The settings of an entry, except its schema. */
export function EntrySettings({ draft, onChange }: EntrySettingsProps) {
  return (
    <div className="grid min-w-0 gap-x-8 gap-y-6 desktop:grid-cols-2">
      <div className="min-w-0 space-y-4">
        <InputField
          label="Display name"
          hint="If empty, the id is shown."
          maxLength={modelFields.display_name.maxLength}
          value={draft.displayName}
          onValue={(displayName) => onChange({ displayName })}
        />
        <TextareaField
          label="Description"
          rows={3}
          maxLength={modelFields.description.maxLength}
          value={draft.description}
          onValue={(description) => onChange({ description })}
        />
        <InputField
          label="Cover"
          hint="The https address of a picture, on a server listed in MEDIA_ORIGINS. If empty, an icon is shown."
          type="url"
          placeholder="https://"
          value={draft.coverUrl}
          onValue={(coverUrl) => onChange({ coverUrl })}
        />
        <div className="grid gap-4 phone:grid-cols-2">
          <SelectField
            label="Billed per"
            value={draft.billingUnit}
            onValue={(billingUnit) => onChange({ billingUnit })}
            options={billingUnits}
          />
          <SelectField
            label="Runs"
            hint="Async: runs as a prediction."
            value={draft.executionMode}
            onValue={(executionMode) => onChange({ executionMode })}
            options={executionModes}
          />
        </div>
        <fieldset className="min-w-0 space-y-1.5">
          <legend className="mb-1 text-table font-medium">Gates</legend>
          {gateLabels.map(([gate, label]) => (
            <Checkbox
              key={gate}
              className="flex!"
              label={label}
              checked={draft.gates[gate]}
              onChange={(event) => {
                const on = event.currentTarget.checked;
                const age =
                  gate === "adult_attestation_required" ? { minimum_age: on ? adultAge : null } : {};
                onChange({ gates: { ...draft.gates, [gate]: on, ...age } });
              }}
            />
          ))}
        </fieldset>
      </div>
      <div className="min-w-0 space-y-4">
        {draft.reads.length > 0 && (
          <fieldset className="min-w-0 space-y-1.5">
            <legend className="mb-1 text-table font-medium">Reads besides text</legend>
            {readLabels.map(([modality, label]) => (
              <Checkbox
                key={modality}
                className="flex!"
                label={label}
                checked={draft.reads.includes(modality)}
                onChange={({ currentTarget: { checked } }) => {
                  const others = draft.reads.filter((each) => each !== modality);
                  onChange({ reads: checked ? [...others, modality] : others });
                }}
              />
            ))}
          </fieldset>
        )}
        <div className="grid gap-4 phone:grid-cols-2">
          <InputField
            label="Prompt field"
            hint="The field with the text that the gateway checks and counts."
            mono
            value={draft.prompt}
            onValue={(prompt) => onChange({ prompt })}
          />
          <InputField
            label="Output field"
            hint="If empty, the gateway reads the usual output fields of the operation."
            mono
            value={draft.output}
            onValue={(output) => onChange({ output })}
          />
        </div>
        <MediaLines media={draft.media} onChange={(media) => onChange({ media })} />
        <JsonBox
          label="Example"
          rows={8}
          text={draft.example}
          onChange={(example) => onChange({ example })}
          hint="The initial input in the playground."
        />
        <JsonBox
          label="Limits"
          rows={4}
          text={draft.limits}
          onChange={(limits) => onChange({ limits })}
          hint="Limits in addition to the schema's, such as maxPromptCharacters or maxInputBytes."
        />
        <details className="rounded-control border px-3 py-2">
          <summary className="rounded-control text-table font-medium">Regions</summary>
          <div className="mt-3">
            <CheckList
              legend="Offered in"
              options={regionNames.map((value) => ({ value, label: value }))}
              value={draft.regions}
              onChange={(regions) => onChange({ regions })}
              error={draft.regions.length === 0 ? "Choose at least one region." : undefined}
            />
          </div>
        </details>
      </div>
    </div>
  );
}

interface MediaLinesProps {
  media: EntryDraft["media"];
  onChange: (media: EntryDraft["media"]) => void;
}

/** The fields that contain files, one per line. */
function MediaLines({ media, onChange }: MediaLinesProps) {
  const change = (index: number, part: Partial<EntryDraft["media"][number]>) =>
    onChange(media.map((line, at) => (at === index ? { ...line, ...part } : line)));
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-table font-medium">Files</legend>
      <p className="mb-2 text-meta text-muted">
        Fields that accept uploads. <code>frames/*</code> is each item of a list.
      </p>
      <ul className="space-y-2">
        {media.map(({ path, kind }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity.
          <li key={index} className="flex gap-2">
            <Input
              aria-label={`Field of file ${index + 1}`}
              className="min-w-0 flex-1 font-mono"
              spellCheck={false}
              value={path}
              onChange={(event) => change(index, { path: event.currentTarget.value })}
            />
            <Select
              aria-label={`Kind of file ${index + 1}`}
              className="w-28! flex-none"
              value={kind}
              onChange={(event) => change(index, { kind: event.currentTarget.value as MediaKind })}
            >
              <option value="image">image</option>
              <option value="audio">audio</option>
              <option value="video">video</option>
              <option value="any">any</option>
            </Select>
            <IconButton
              label={`Remove file ${index + 1}`}
              icon={<X size={16} aria-hidden />}
              onClick={() => onChange(media.filter((_, at) => at !== index))}
            />
          </li>
        ))}
      </ul>
      <Button
        size="sm"
        className={media.length > 0 ? "mt-2" : undefined}
        icon={<Plus size={14} aria-hidden />}
        onClick={() => onChange([...media, { path: "", kind: "image" }])}
      >
        Add a file field
      </Button>
    </fieldset>
  );
}
