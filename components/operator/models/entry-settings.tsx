"use client";

import { Plus, X } from "lucide-react";
import { billingUnits, executionModes, regionNames } from "#contract/catalog-constants.ts";
import { modelFields } from "#contract/operator/constants.ts";
import { useWords } from "#words";
import { facetLabel } from "@/components/catalog/facets";
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
  ["adult_attestation_required", "adultContent"],
  ["portrait_rights_attestation_required", "peopleAttested"],
  ["per_request_person_rights_confirmation_required", "peopleConfirmed"],
] as const;

const readLabels = [
  ["image", "picturesInMessages"],
  ["audio", "audioInMessages"],
  ["file", "filesInMessages"],
] as const;

const adultAge = 18;
/** How the address of a cover begins. */
const scheme = "https://";

/** The settings of an entry, except its schema. */
export function EntrySettings({ draft, onChange }: EntrySettingsProps) {
  const t = useWords("operatorModels");
  const catalog = useWords("catalog");
  const labelled = <Value extends string>(value: Value) => [value, facetLabel(value, catalog)] as const;
  return (
    <div className="grid min-w-0 gap-x-8 gap-y-6 desktop:grid-cols-2">
      <div className="min-w-0 space-y-4">
        <InputField
          label={t("displayName")}
          hint={t("ifEmptyTheIdIs")}
          maxLength={modelFields.display_name.maxLength}
          value={draft.displayName}
          onValue={(displayName) => onChange({ displayName })}
        />
        <TextareaField
          label={t("description")}
          rows={3}
          maxLength={modelFields.description.maxLength}
          value={draft.description}
          onValue={(description) => onChange({ description })}
        />
        <InputField
          label={t("cover")}
          hint={t("theHttpsAddressOfA")}
          type="url"
          placeholder={scheme}
          value={draft.coverUrl}
          onValue={(coverUrl) => onChange({ coverUrl })}
        />
        <div className="grid gap-4 phone:grid-cols-2">
          <SelectField
            label={t("billedPer")}
            value={draft.billingUnit}
            onValue={(billingUnit) => onChange({ billingUnit })}
            options={billingUnits.map(labelled)}
          />
          <SelectField
            label={t("runs")}
            hint={t("asyncRunsAsAPrediction")}
            value={draft.executionMode}
            onValue={(executionMode) => onChange({ executionMode })}
            options={executionModes.map(labelled)}
          />
        </div>
        <fieldset className="min-w-0 space-y-1.5">
          <legend className="mb-1 text-table font-medium">{t("gates")}</legend>
          {gateLabels.map(([gate, label]) => (
            <Checkbox
              key={gate}
              className="flex!"
              label={t(label)}
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
            <legend className="mb-1 text-table font-medium">{t("readsBesidesText")}</legend>
            {readLabels.map(([modality, label]) => (
              <Checkbox
                key={modality}
                className="flex!"
                label={t(label)}
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
            label={t("promptField")}
            hint={t("theFieldWithTheText")}
            mono
            value={draft.prompt}
            onValue={(prompt) => onChange({ prompt })}
          />
          <InputField
            label={t("outputField")}
            hint={t("ifEmptyTheGatewayReads")}
            mono
            value={draft.output}
            onValue={(output) => onChange({ output })}
          />
        </div>
        <MediaLines media={draft.media} onChange={(media) => onChange({ media })} />
        <JsonBox
          label={t("example")}
          rows={8}
          text={draft.example}
          onChange={(example) => onChange({ example })}
          hint={t("theInitialInputInThe")}
        />
        <JsonBox
          label={t("limits")}
          rows={4}
          text={draft.limits}
          onChange={(limits) => onChange({ limits })}
          hint={t("limitsInAdditionToThe")}
        />
        <details className="rounded-control border px-3 py-2">
          <summary className="rounded-control text-table font-medium">{t("regions")}</summary>
          <div className="mt-3">
            <CheckList
              legend={t("offeredIn")}
              options={regionNames.map((value) => ({ value, label: value }))}
              value={draft.regions}
              onChange={(regions) => onChange({ regions })}
              error={draft.regions.length === 0 ? t("chooseAtLeastOneRegion") : undefined}
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
  const t = useWords("operatorModels");
  const change = (index: number, part: Partial<EntryDraft["media"][number]>) =>
    onChange(media.map((line, at) => (at === index ? { ...line, ...part } : line)));
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-table font-medium">{t("files")}</legend>
      <p className="mb-2 text-meta text-muted">
        {t.rich("fieldsWithFiles", {}, { code: (path) => <code key="path">{path}</code> })}
      </p>
      <ul className="space-y-2">
        {media.map(({ path, kind }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity.
          <li key={index} className="flex gap-2">
            <Input
              aria-label={t("fieldOfFile", { number: index + 1 })}
              className="min-w-0 flex-1 font-mono"
              spellCheck={false}
              value={path}
              onChange={(event) => change(index, { path: event.currentTarget.value })}
            />
            <Select
              aria-label={t("kindOfFile", { number: index + 1 })}
              className="w-28! flex-none"
              value={kind}
              onChange={(event) => change(index, { kind: event.currentTarget.value as MediaKind })}
            >
              <option value="image">{t("image")}</option>
              <option value="audio">{t("audio")}</option>
              <option value="video">{t("video")}</option>
              <option value="any">{t("any")}</option>
            </Select>
            <IconButton
              label={t("removeFile", { number: index + 1 })}
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
        {t("addAFileField")}
      </Button>
    </fieldset>
  );
}
