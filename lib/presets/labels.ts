import type { Preset, PresetSummary } from "#contract/presets.ts";
import type { FormPlan } from "../schema-form/plan.ts";
import { fieldTitle } from "../schema-form/problem-messages.ts";
import { makerName } from "../team/maker.ts";

type NoticePreset = Pick<
  Preset,
  "name" | "made_by" | "schema_version" | "current_schema_version" | "media" | "problems"
>;

/** The notice about a preset that the user has just loaded. */
export function presetNotice(preset: NoticePreset, plan: FormPlan): string {
  const by = makerName(preset.made_by);
  return [
    `Preset “${preset.name}”${by ? ` by ${by}` : ""} loaded.`,
    changeNotice(preset, plan),
    mediaNotice(preset, plan),
  ]
    .filter(Boolean)
    .join(" ");
}

function changeNotice(
  { schema_version: saved, current_schema_version: now, problems }: NoticePreset,
  plan: FormPlan,
) {
  if (saved === now) return null;
  if (problems.length === 0)
    return "The operation has changed since this preset was saved, but the preset still fits.";
  const unfit = problems.map(({ path, message }) => `${fieldTitle(path, plan)} (${message})`);
  return `The operation has changed since this preset was saved. Fix these fields: ${unfit.join(", ")}.`;
}

function mediaNotice({ media }: NoticePreset, plan: FormPlan) {
  const gone = media.filter(({ kept_until: until }) => until === null);
  if (gone.length === 0) return null;
  const places = [...new Set(gone.map(({ path }) => fieldTitle(path, plan)))].join(", ");
  return `A preset does not keep files. Choose files again for ${places}.`;
}

type LabelledVersion = Pick<PresetSummary, "version" | "made_by" | "changed_by">;

/** "version 4, changed by Ada". The time follows in the page. */
export function versionLabel({ version, made_by, changed_by }: LabelledVersion): string {
  const by = makerName(changed_by ?? made_by);
  return `version ${version}, ${version === 1 && !changed_by ? "made" : "changed"}${by ? ` by ${by}` : ""}`;
}
