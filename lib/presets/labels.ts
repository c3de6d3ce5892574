import type { Preset, PresetSummary } from "#contract/presets.ts";
import { bracketed } from "@/messages/marks";
import type { Words } from "@/messages/words";
import type { FormPlan } from "../schema-form/plan.ts";
import { fieldTitle } from "../schema-form/problem-messages.ts";
import { makerName } from "../team/maker.ts";
import { listText } from "../words/list-text.ts";

type NoticePreset = Pick<
  Preset,
  "name" | "made_by" | "schema_version" | "current_schema_version" | "media" | "problems"
>;

/** The notice about a preset that the user has just loaded. */
export function presetNotice(preset: NoticePreset, plan: FormPlan, t: Words<"playground">): string {
  const by = makerName(preset.made_by, t.language);
  return [
    by ? t("presetByLoaded", { name: preset.name, by }) : t("presetLoaded", { name: preset.name }),
    changeNotice(preset, plan, t),
    mediaNotice(preset, plan, t),
  ]
    .filter(Boolean)
    .join(" ");
}

function changeNotice(
  { schema_version: saved, current_schema_version: now, problems }: NoticePreset,
  plan: FormPlan,
  t: Words<"playground">,
) {
  if (saved === now) return null;
  if (problems.length === 0) return t("presetStillFits");
  const unfit = problems.map(({ path, message }) => bracketed(t.language, fieldTitle(path, plan), message));
  return t("presetFixFields", { fields: listText(t.language, unfit, "plain") });
}

function mediaNotice({ media }: NoticePreset, plan: FormPlan, t: Words<"playground">) {
  const gone = media.filter(({ kept_until: until }) => until === null);
  if (gone.length === 0) return null;
  const places = listText(t.language, [...new Set(gone.map(({ path }) => fieldTitle(path, plan)))], "plain");
  return t("presetKeepsNoFiles", { fields: places });
}

type LabelledVersion = Pick<PresetSummary, "version" | "made_by" | "changed_by">;

/** "version 4, changed by Ada". The time follows in the page. */
export function versionLabel({ version, made_by, changed_by }: LabelledVersion, t: Words<"presets">): string {
  const by = makerName(changed_by ?? made_by, t.language);
  const isFirst = version === 1 && !changed_by;
  if (!by) return t(isFirst ? "versionMade" : "versionChanged", { version: String(version) });
  return t(isFirst ? "versionMadeBy" : "versionChangedBy", { version: String(version), by });
}
