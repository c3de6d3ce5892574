import type { Preset } from "#contract/presets.ts";
import type { FormPlan } from "../schema-form/plan.ts";
import { fieldTitle } from "../schema-form/problem-messages.ts";
import { makerName } from "../team/maker.ts";

type NoticePreset = Pick<
  Preset,
  "name" | "made_by" | "schema_version" | "current_schema_version" | "media" | "problems"
>;

/** What to know about a preset that has just been loaded. */
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
  if (problems.length === 0) return "The operation has changed since it was saved; the preset still fits.";
  const unfit = problems.map(({ path, message }) => `${fieldTitle(path, plan)} (${message})`);
  return `The operation has changed since it was saved. Fix what no longer fits: ${unfit.join(", ")}.`;
}

function mediaNotice({ media }: NoticePreset, plan: FormPlan) {
  const gone = media.filter(({ kept_until: until }) => until === null);
  if (gone.length === 0) return null;
  const places = [...new Set(gone.map(({ path }) => fieldTitle(path, plan)))].join(", ");
  return `Files are not kept with a preset: choose again for ${places}.`;
}
